import { noSuch } from '../../mistyped.ts';
import { judgeFace } from './face.ts';
import type { Party } from './party.ts';

interface Judge {
  readonly examples: readonly string[];
  readonly judge: (argv: readonly string[]) => Promise<number>;
}

const judgeOf = <T, C>(party: Party<T, C>): Judge => ({
  examples: party.examples,
  judge: (argv) => judgeFace(party, argv),
});

/** Who can be judged, each loaded only when it is asked for. */
const judges: Readonly<Record<string, { readonly about: string; readonly load: () => Promise<Judge> }>> = {
  client: {
    about: 'a client: a command that keeps a copy of what the server has',
    load: async () => judgeOf((await import('./client/party.ts')).clientParty),
  },
  ingress: {
    about: 'an ingress controller, by the cluster that it serves and its address',
    load: async () => judgeOf((await import('./ingress/party.ts')).ingressParty),
  },
  signer: {
    about: 'a signer of certificates, by its name',
    load: async () => judgeOf((await import('./signer/party.ts')).signerParty),
  },
  webhook: {
    about: 'an admission webhook, by its address',
    load: async () => judgeOf((await import('./webhook/party.ts')).webhookParty),
  },
};

const about = `Usage: touchstone judge <party> [flags]

Judges the parties of the API other than its server (that is touchstone conformance):
${Object.entries(judges)
  .map(([name, one]) => `  ${name.padEnd(10)}${one.about}`)
  .join('\n')}

touchstone judge <party> --help tells more.
`;

/** With an example of each. */
async function usage(): Promise<string> {
  const examples = Object.entries(judges).map(
    async ([name, { load }]) => `  touchstone judge ${name} ${(await load()).examples[0]}`,
  );
  return `${about}\nExamples:\n${(await Promise.all(examples)).join('\n')}\n`;
}

/** `touchstone judge`. Resolves with the exit code. */
export async function main([name = '', ...argv]: readonly string[]): Promise<number> {
  const known = Object.hasOwn(judges, name) ? judges[name] : undefined;
  if (known) return (await known.load()).judge(argv);
  if (['--help', '-h', 'help'].includes(name)) {
    process.stdout.write(await usage());
    return 0;
  }
  const complaint = name ? `touchstone judge: ${noSuch('party', name, [...Object.keys(judges), '--help'])}\n\n` : '';
  process.stderr.write(complaint + about);
  return 2;
}
