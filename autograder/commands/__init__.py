"""What the words after ``ol`` do, by who types them: learners, authors, anybody at a machine.

Each command is a few lines: it names its arguments, calls a module, prints. Those in
``WITH_SOLUTIONS`` are not in what a class receives.
"""
