"""Self-play training of PPO on Hansa Teutonica.

Independent of what is trained: `checkpoints` (a ring of them), `run_folder` (lock, plan, checkpoints), `state` (state as data),
`workers` (threads), `plan` (with `plan_texts`, its texts, and `plan_file`), `sizes` (of networks). What is trained: `learner`,
with `networks`, `warm_start`, `average` (of weights), and self-play: `league` (who meets whom), `shard` (plays, writes down),
`rollout` (what was written down), `gae`, `end_worth` (of a game), `expert` (a search that labels positions), `ppo` (learns from
it). `job` brings them together, with `curve`; `app` is the command. `model_file`, `archive` and `agent` let a trained model
play, `search` lets it think, `ship` makes it one of those in `hansa_agents.networks`. `exploit` looks for best responses.
"""
