cwlVersion: v1.2
class: Workflow
label: Practice load
doc: |
  Demo load without a scientific result: starts a number of jobs that only sleep, each as a small tree of
  processes, and joins the lines that they print. Use it to watch a run, to abort one in the middle, to see what a failing job does
  to the others, or to put load on a server.

  Its jobs are never reused from a cache, so it always takes its time: about `count` times `seconds`, divided by
  the number of jobs that run at once.
requirements:
  - class: ScatterFeatureRequirement
inputs:
  - id: count
    type: int
    label: Jobs
    doc: How many jobs to start.
    default: 8
  - id: seconds
    type: float
    label: Seconds
    doc: How long each job sleeps, in seconds.
    default: 2
  - id: children
    type: int
    label: Children
    doc: How many child shells each job starts; each starts one sleep process.
    default: 2
  - id: fail_index
    type: int?
    label: Failing job
    doc: The job with this number, counted from 0, fails after its sleep; without it none fails.
outputs:
  - id: log
    type: File
    label: Lines
    doc: The line of every job, in the order of their numbers.
    outputSource: join/joined
steps:
  - id: count_up
    label: Number the jobs
    run: ../../tools/count-up/1.0.0/count-up.cwl
    in:
      - { id: count, source: count }
    out: [numbers]
  - id: sleep
    label: Sleep
    run: ../../tools/sleep-tree/1.0.0/sleep-tree.cwl
    scatter: index
    in:
      - { id: index, source: count_up/numbers }
      - { id: seconds, source: seconds }
      - { id: children, source: children }
      - { id: fail_index, source: fail_index }
    out: [line]
  - id: join
    label: Join lines
    run: ../../tools/join-texts/1.0.0/join-texts.cwl
    in:
      - { id: texts, source: sleep/line }
      - { id: name, default: practice.txt }
    out: [joined]
