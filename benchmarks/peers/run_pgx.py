"""Pgx on one CPU core: chess and backgammon, mask, random legal action, step and auto-reset in one jitted scan."""

import os

import contract

BATCH, STEPS = 1024, 8


def player(name):
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(carry, _):
        state, key = carry
        key, of_action, of_step = jax.random.split(key, 3)
        actions = jax.random.categorical(of_action, jnp.where(state.legal_action_mask, 0.0, -jnp.inf))
        return (step(state, actions, jax.random.split(of_step, BATCH)), key), None

    run = jax.jit(lambda carry: jax.lax.scan(advance, carry, None, STEPS)[0])
    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), BATCH))
    carry = [(start, jax.random.PRNGKey(1))]

    def play():
        carry[0] = jax.block_until_ready(run(carry[0]))
        return BATCH * STEPS

    return play


def make():
    contract.pin_to_one_core()
    os.environ["JAX_PLATFORMS"] = "cpu"
    return {name: player(name) for name in ("chess", "backgammon")}


if __name__ == "__main__":
    contract.main("pgx", make)
