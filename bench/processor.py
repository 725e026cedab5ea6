"""What a command takes of the processor. Standard library only."""

import json
import os
import subprocess
import sys


def measured(command):
    """A command's JSON, processor seconds (user and system) and memory in bytes."""
    command = [str(word) for word in command]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"expected status 0 of {' '.join(command)}, found {os.waitstatus_to_exitcode(status)}")
    return json.loads(output), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
