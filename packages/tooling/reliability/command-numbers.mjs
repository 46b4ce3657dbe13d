/** Reads `--name N` from a command line; anything else prints the known options and ends the process with exit code 2. */
export function numbersFrom(args, defaults) {
  const numbers = { ...defaults };
  for (let index = 0; index < args.length; index += 2) {
    const name = args[index].replace(/^--/, "");
    if (!(name in defaults) || !/^[1-9]\d*$/.test(args[index + 1] ?? "")) refuse(args, defaults);
    numbers[name] = Number(args[index + 1]);
  }
  return numbers;
}

function refuse(args, defaults) {
  const known = Object.entries(defaults).map(([name, value]) => `--${name} N (${value})`);
  console.error(`cannot read "${args.join(" ")}"; the options are ${known.join(", ")}`);
  process.exit(2);
}
