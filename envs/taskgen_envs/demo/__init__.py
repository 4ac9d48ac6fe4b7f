"""The demo: a small policy that learns addition by GRPO, on adaptive, fixed and uniform tasks.

Read `training.py` first; it is the loop. `policy.py` is what learns, `grpo.py` how, `arms.py` what on.
"""
