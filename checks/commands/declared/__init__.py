"""What may be typed: the words, options and help of every command, a module for each group.

Nothing here carries a command out: each names the function that does, which `checks.commands.options` imports when the
command is there. So help and bad input are answered at once.
"""
