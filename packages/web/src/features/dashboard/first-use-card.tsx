import { Link } from "react-router-dom";

const STEPS = [
  {
    title: "Choose a network",
    text: "A network is a graph of command-line tools. Weft ships with some, each with a ready-to-run example.",
    to: "/networks",
    link: "Browse networks",
  },
  {
    title: "Start a run",
    text: "Fill in the inputs, or click “Use example”.",
    to: "/doc/how-to/run-a-network",
    link: "How to run",
  },
  {
    title: "Follow it live",
    text: "See the command line, log and files of each job while it runs.",
    to: "/doc/how-to/watch-a-run",
    link: "Tour of the run page",
  },
] as const;

/** The view of an empty installation instead of empty tables. */
export function FirstUseCard() {
  return (
    <section aria-labelledby="start-title" className="card p-6">
      <h2 id="start-title" className="text-lg">
        Welcome to Weft. Start your first run.
      </h2>
      <ol className="mt-4 grid gap-4 md:grid-cols-3">
        {STEPS.map((step, index) => (
          <li key={step.title} className="flex gap-3">
            <span
              aria-hidden="true"
              className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent"
            >
              {index + 1}
            </span>
            <div>
              <h3>{step.title}</h3>
              <p className="mt-0.5 text-soft">{step.text}</p>
              <Link className="link mt-1 inline-block" to={step.to}>
                {step.link}
              </Link>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
