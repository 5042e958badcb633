#!/bin/sh
# Slurm: each task of a job array converts one part. `sbatch --array=1-64 slurm.sh` starts 64 tasks.
# --requeue starts a task again if its node fails; it continues, because of --resume.
#SBATCH --job-name=rigcast
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --requeue
#SBATCH --output=rigcast.%a.log
exec rigcast convert in -o out --plan plan.jsonl --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --resume --ledger "ledger.$SLURM_ARRAY_TASK_ID.jsonl"
