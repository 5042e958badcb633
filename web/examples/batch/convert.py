"""Converts a folder on the workers of a Dask cluster: each takes one part of the results.

    python3 convert.py IN OUT [--parts N] [--scheduler ADDRESS] [-- options of rigcast convert]

Without an address a cluster of this machine's cores is started. All workers must see IN and OUT at the same path. If it is ended and started
again, it keeps the results that are unchanged. OUT.plan.jsonl is the plan: remove it if files have come.
"""
import argparse
import os
import subprocess
import sys

from distributed import Client, as_completed

RIGCAST = os.environ.get("RIGCAST", "npx rigcast").split()


def convert(part, parts, source, target, options):
    """One part; the number of the part, its exit code (1: something of it could not be written) and what was said."""
    command = [*RIGCAST, "convert", source, "-o", target, "--plan", f"{target}.plan.jsonl", "--shard", f"{part}/{parts}", "--resume", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    return part, done.returncode, done.stderr


def main():
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--parts", type=int, default=4 * (os.cpu_count() or 1))
    parser.add_argument("--scheduler")
    asked = parser.parse_args(words[:at])
    options = words[at + 1:]

    # The plan is made once, here, and read by every part.
    plan = f"{asked.target}.plan.jsonl"
    made = subprocess.run([*RIGCAST, "convert", asked.source, "-o", asked.target, "--plan", plan, "--dry-run", *options], capture_output=True, text=True)
    if not os.path.exists(plan):
        sys.exit(made.stderr.strip() or made.returncode)

    failed = 0
    with Client(asked.scheduler) if asked.scheduler else Client(threads_per_worker=1, dashboard_address=None) as client:
        parts = [
            client.submit(convert, part, asked.parts, asked.source, asked.target, [*options, "--ledger", f"{asked.target}.{part}.jsonl"], pure=False)
            for part in range(1, asked.parts + 1)
        ]
        for future in as_completed(parts):
            part, code, said = future.result()
            failed = max(failed, code)
            print(f"part {part} of {asked.parts}: {'done' if code == 0 else said.strip()}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
