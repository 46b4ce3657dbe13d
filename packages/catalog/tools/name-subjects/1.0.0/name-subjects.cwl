cwlVersion: v1.2
class: ExpressionTool
label: Name subjects
doc: |
  Gives every image the id of its subject: the ids given, else the file names without `.nii` or `.nii.gz`.
  Refuses ids that would not make good names of files, and the same id twice, before any image is worked on.
requirements:
  - class: InlineJavascriptRequirement
inputs:
  - id: images
    type: File[]
    label: Images
    doc: One image per subject.
  - id: subjects
    type: string[]?
    label: Subjects
    doc: Ids in the order of the images; without them, they are taken from the file names.
outputs:
  - id: subjects
    type: string[]
    label: Subjects
    doc: One id per image, all different.
expression: |
  ${
    var given = inputs.subjects || null;
    if (given !== null && given.length !== inputs.images.length) {
      throw new Error("subjects: " + given.length + " ids for " + inputs.images.length + " images");
    }
    var names = given !== null ? given : inputs.images.map(function (image) {
      return image.basename.replace(/[.]nii([.]gz)?$/i, "");
    });
    var seen = {};
    names.forEach(function (name) {
      if (!/^[^./]/.test(name) || /[/\u0000-\u001f\u007f]/.test(name)) {
        throw new Error("subjects: " + JSON.stringify(name) + " is empty, begins with a point, or has a slash or a control character");
      }
      if (seen["id " + name]) {
        throw new Error("subjects: " + JSON.stringify(name) + " occurs twice; give the ids as `subjects`");
      }
      seen["id " + name] = true;
    });
    return { subjects: names };
  }
