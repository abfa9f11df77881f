"""The interfaces of other libraries: PettingZoo, Gymnasium, Stable-Baselines3. They translate and never decide."""
