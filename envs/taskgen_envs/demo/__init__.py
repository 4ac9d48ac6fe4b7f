"""A small policy that starts from random and learns addition on adaptive tasks: the main job, in one command."""
