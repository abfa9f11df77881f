"""Self-play training of MaskablePPO on Hansa Teutonica.

Independent of what is trained: `files` (whole files), `checkpoints` (a ring of them), `run_folder` (lock, plan, checkpoints),
`state` (state as data), `plan`. What is trained: `learner`, with `policy` (the network), `warm_start`, `self_play` and
`shaping`. `job` brings them together, `app` is the command; `model_file` and `agent` let a trained model play.
"""
