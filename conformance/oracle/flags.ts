import { UsageError } from '../../mistyped.ts';
import { type Flag, flagsText, readFlags, saidIn } from '../commands/flag-table.ts';
import { hostName, oneOf, whole } from '../commands/flag-values.ts';
import type { Target } from '../target/target.ts';
import { readTarget, targetFlags } from '../target/target-flags.ts';
import { type GeneratorName, generators } from './generate/work.ts';

/** Every flag of `touchstone compare`, in the order of the help. */
export const flags: readonly Flag[] = [
  { name: 'server', value: 'URL', help: 'the server that is looked at' },
  ...targetFlags,
  { name: 'with', value: 'URL', help: 'the server it is compared with; without one the reference server is started' },
  // Each once more, for the other server.
  ...targetFlags.map((flag) => ({ ...flag, name: `with-${flag.name}`, help: `the same for --with` })),
  { name: 'seed', value: 'N', help: 'play the work of this number (default: another one each time, which is printed)' },
  { name: 'time', value: 'SECONDS', help: 'begin no further work after that (default 150)' },
  { name: 'only', value: 'GENERATOR', many: true, help: `only this work: ${generators.join(', ')}` },
  { name: 'resource', value: 'NAME', many: true, help: 'only work on this resource, such as jobs' },
  { name: 'sequences', value: 'N', help: 'how many random sequences at most (default: as many as the time allows)' },
  { name: 'steps', value: 'N', help: 'how many steps a random sequence has (default 40)' },
  { name: 'yes', help: 'also make what concerns the whole cluster: nodes, volumes, webhook configurations …' },
  {
    name: 'webhook-host',
    value: 'HOST',
    help: 'where both servers reach webhooks on this machine, if they are not on it',
  },
  { name: 'save', value: 'FILE', help: 'write what was found as scenarios that --play runs again' },
  { name: 'play', value: 'FILE', help: 'play the scenarios of this file and nothing else' },
  { name: 'json', value: 'FILE', help: 'write the report as JSON' },
  { name: 'strict', help: 'exit with 1 when anything differs' },
  { name: 'help', help: 'print this' },
];

export interface CompareSettings {
  readonly judged: Target | undefined;
  readonly other: Target | undefined;
  readonly seed: number;
  /** Milliseconds. */
  readonly budget: number;
  readonly generators: readonly GeneratorName[];
  readonly resources: readonly string[];
  readonly sequences?: number;
  readonly steps: number;
  readonly clusterWide: boolean;
  readonly webhookHost?: string;
  readonly save?: string;
  readonly play?: string;
  readonly json?: string;
  readonly strict: boolean;
  readonly help: boolean;
}

export function usage(): string {
  return `Usage: touchstone compare --server URL [--with URL] [flags]

Plays the same generated work, and what the rules send, against two servers and shows each difference by the shortest
sequence that was found for it, or by the request. A difference is no verdict. Exit code 0: played; 1: differences and
--strict; 2: wrong usage; 3: a server that does not answer, or not any more; 130: ended by the user.

${flagsText(flags)}
`;
}

/** Reads the command line. `now` seeds a run that names no seed. Throws a UsageError for what cannot be meant. */
export function readSettings(argv: readonly string[], now: number): CompareSettings {
  const { text, texts, isOn } = saidIn(readFlags(flags, argv));
  const judged = readTarget(text, isOn('insecure-skip-tls-verify'));
  const other = readTarget(
    (name) => text(name === 'server' ? 'with' : `with-${name}`),
    isOn('with-insecure-skip-tls-verify'),
  );
  if (!judged && !isOn('help')) throw new UsageError('--server or --kubeconfig says which server is looked at');
  const [save, play, json, sequences] = ['save', 'play', 'json', 'sequences'].map(text);
  const webhookHost = text('webhook-host');
  return {
    judged,
    other,
    seed: whole('seed', text('seed') ?? String(now % 1_000_000), 0, 2 ** 31),
    budget: whole('time', text('time') ?? '150', 0, 86_400) * 1000,
    generators: texts('only').map((name) => oneOf('only', name, generators)),
    resources: texts('resource'),
    ...(sequences === undefined ? {} : { sequences: whole('sequences', sequences, 0, 1_000_000) }),
    steps: whole('steps', text('steps') ?? '40', 0, 1000),
    clusterWide: isOn('yes'),
    ...(webhookHost === undefined ? {} : { webhookHost: hostName(webhookHost) }),
    ...(save === undefined ? {} : { save }),
    ...(play === undefined ? {} : { play }),
    ...(json === undefined ? {} : { json }),
    strict: isOn('strict'),
    help: isOn('help'),
  };
}
