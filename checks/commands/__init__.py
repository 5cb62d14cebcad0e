"""What the command line can do, a module for each group of commands.

Every module has `add_commands`, which declares its commands with their options, and the functions that carry them out.
A function imports what it needs when it is called: listing claims and asking for help must not pay for torch.
"""
