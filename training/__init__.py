"""Self-play training of PPO on Hansa Teutonica.

Independent of what is trained: `files` (whole files), `checkpoints` (a ring of them), `run_folder` (lock, plan, checkpoints),
`state` (state as data), `workers` (threads), `plan`. What is trained: `learner`, with `networks`, `warm_start`, and self-play:
`league` (who meets whom), `shard` (plays, writes down), `rollout` (what was written down), `ppo` (learns from it). `job` brings
them together, `app` is the command; `model_file` and `agent` let a trained model play.
"""
