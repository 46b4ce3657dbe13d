/** Reads `--name N` of a command line; anything else ends the process with 2 and says what there is. */
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
  console.error(`cannot read "${args.join(" ")}"; there is ${known.join(", ")}`);
  process.exit(2);
}
