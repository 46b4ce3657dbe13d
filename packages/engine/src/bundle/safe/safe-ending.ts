/** Extensions that indicate a format and never a name. */
const ENDINGS = new Set(
  `7z avi bai bam bcf bed bin bmp bvec bval bw bz2 cif cram crai csv csi cwl czi dat db dcm dict edf fa fai faa fasta fast5
   fastq feather fif fna fq gb gff gff3 gif gii gpickle gtf gz h5 hdf5 hdr html idx img ini jpeg jpg js json jsonl lif log m
   mat md mgh mgz mif mov mp4 msgpack mzml nc nd2 nii npy npz ods parquet pbf pdb pdf pgen pickle pkl png ply pod5 psam ps
   pvar py r raw rds root sam sdf sh sqlite stl svg tar tbi tck tfm tgz tif tiff toml trk tsv txt vcf vtk vtp vtu wav wig
   xls xlsx xml xz yaml yml zarr zip zst`.split(/\s+/),
);

/** `.nii.gz` for `sub-01.nii.gz`; empty for an extension that could be part of a name. At most two extensions. */
export function safeEnding(name: string): string {
  const parts = name.split(".").slice(1);
  let ending = "";
  while (ending.split(".").length <= 2) {
    const last = parts.pop();
    if (last === undefined || !ENDINGS.has(last.toLowerCase())) break;
    ending = `.${last}${ending}`;
  }
  return ending;
}
