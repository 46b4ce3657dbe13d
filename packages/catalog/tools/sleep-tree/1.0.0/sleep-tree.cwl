cwlVersion: v1.2
class: CommandLineTool
label: Sleep in a tree of processes
doc: |
  Starts some child shells, each of which starts a `sleep`, waits for all of them and prints one line. It does
  nothing useful: it is for practice with watching, aborting and load, since an abort has to end the whole tree.

  Its results are never taken from a cache. Fractions of seconds work where `sleep` knows them (GNU, BSD, macOS).
requirements:
  - class: WorkReuse
    enableReuse: false
  - class: ResourceRequirement
    coresMin: 0.1
    ramMin: 16
baseCommand: sh
inputs:
  - id: script
    type: File
    label: Program
    doc: The program of this tool.
    default: { class: File, location: sleep-tree.sh }
    inputBinding: { position: 0 }
  - id: index
    type: int
    label: Number
    doc: Number of the job; it is printed and names the file.
    inputBinding: { position: 1 }
  - id: seconds
    type: float
    label: Seconds
    doc: How long every child sleeps, in seconds.
    default: 2
    inputBinding: { position: 2 }
  - id: children
    type: int
    label: Children
    doc: How many child shells the job starts; each has one sleep below it.
    default: 2
    inputBinding: { position: 3 }
  - id: fail_index
    type: int?
    label: Failing number
    doc: The job with this number fails with exit code 1 after its sleep.
    inputBinding: { position: 4 }
stdout: sleep-$(inputs.index).txt
outputs:
  - id: line
    type: stdout
    label: Line
    doc: One line about the job, `sleep-<number>.txt`.
