import { judgeFace } from './face.ts';

type Judge = (argv: readonly string[]) => Promise<number>;

/** Who can be judged, each loaded only when it is asked for. */
const judges: Readonly<Record<string, { readonly about: string; readonly load: () => Promise<Judge> }>> = {
  client: {
    about: 'a client: a command that keeps a copy of what the server has',
    load: async () => {
      const { clientParty } = await import('./client/party.ts');
      return (argv) => judgeFace(clientParty, argv);
    },
  },
  ingress: {
    about: 'an ingress controller, by the cluster that it serves and its address',
    load: async () => {
      const { ingressParty } = await import('./ingress/party.ts');
      return (argv) => judgeFace(ingressParty, argv);
    },
  },
  signer: {
    about: 'a signer of certificates, by its name',
    load: async () => {
      const { signerParty } = await import('./signer/party.ts');
      return (argv) => judgeFace(signerParty, argv);
    },
  },
  webhook: {
    about: 'an admission webhook, by its address',
    load: async () => {
      const { webhookParty } = await import('./webhook/party.ts');
      return (argv) => judgeFace(webhookParty, argv);
    },
  },
};

const usage = `Usage: touchstone judge <party> [flags]

Judges the parties of the API other than its server (that is touchstone conformance):
${Object.entries(judges)
  .map(([name, { about }]) => `  ${name.padEnd(10)}${about}`)
  .join('\n')}

touchstone judge <party> --help tells more.
`;

/** `touchstone judge`. Resolves with the exit code. */
export async function main([name = '', ...argv]: readonly string[]): Promise<number> {
  const judge = Object.hasOwn(judges, name) ? judges[name] : undefined;
  if (judge) return (await judge.load())(argv);
  const asked = ['--help', '-h', 'help'].includes(name);
  const complaint = name && !asked ? `touchstone judge: there is no party ${JSON.stringify(name)}\n\n` : '';
  (asked ? process.stdout : process.stderr).write(complaint + usage);
  return asked ? 0 : 2;
}
