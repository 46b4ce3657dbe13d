// Connected components of a mask by union-find over the neighbours already visited.

/** Offsets [i, j, k] of the half of the 6, 18 or 26 neighbours that come earlier in storage order. */
function earlierNeighbours(connectivity) {
  const axesApart = { 6: 1, 18: 2, 26: 3 }[connectivity];
  const steps = [-1, 0, 1];
  const all = steps.flatMap((k) => steps.flatMap((j) => steps.map((i) => [i, j, k])));
  return all.slice(0, 13).filter((offset) => offset.filter((step) => step !== 0).length <= axesApart);
}

/**
 * Labels the voxels of a mask: `{labels, sizes}`. Label 0 is outside; labels 1, 2, … follow the storage order of each
 * component's first voxel; `sizes[label - 1]` counts voxels. `connectivity` is 6, 18 or 26.
 */
export function labelComponents(mask, dims, connectivity) {
  const parents = new Int32Array(mask.length).fill(-1);
  const neighbours = earlierNeighbours(connectivity);
  for (let index = 0; index < mask.length; index += 1) {
    if (mask[index] === 0) continue;
    parents[index] = index;
    for (const other of touching(index, dims, neighbours)) {
      if (mask[other] !== 0) join(parents, index, other);
    }
  }
  return numbered(parents);
}

function* touching(index, [nx, ny], neighbours) {
  const [i, j, k] = [index % nx, Math.floor(index / nx) % ny, Math.floor(index / (nx * ny))];
  for (const [di, dj, dk] of neighbours) {
    const inside = i + di >= 0 && i + di < nx && j + dj >= 0 && j + dj < ny && k + dk >= 0;
    if (inside) yield index + di + nx * (dj + ny * dk);
  }
}

function rootOf(parents, index) {
  let root = index;
  while (parents[root] !== root) {
    parents[root] = parents[parents[root]];
    root = parents[root];
  }
  return root;
}

// The earliest voxel is the root, which gives labels in storage order.
function join(parents, one, other) {
  const [first, second] = [rootOf(parents, one), rootOf(parents, other)];
  parents[Math.max(first, second)] = Math.min(first, second);
}

function numbered(parents) {
  const labels = new Int32Array(parents.length);
  const sizes = [];
  for (let index = 0; index < parents.length; index += 1) {
    if (parents[index] < 0) continue;
    const root = rootOf(parents, index);
    if (root === index) labels[index] = sizes.push(0);
    labels[index] = labels[root];
    sizes[labels[index] - 1] += 1;
  }
  return { labels, sizes };
}
