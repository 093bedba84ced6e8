import { existsSync } from 'node:fs';
import { delimiter, extname, join } from 'node:path';
import { positive, UsageError } from '../../flag-values.ts';
import type { Party, PartyRule } from '../party.ts';
import { type ClientCandidate, type ClientContext, openClient } from './context.ts';
import certificates from './rules/certificates.ts';
import credentials from './rules/credentials.ts';
import execPlugin from './rules/exec-plugin.ts';
import leading from './rules/leading.ts';
import lists from './rules/lists.ts';
import load from './rules/load.ts';
import reads from './rules/reads.ts';
import versions from './rules/versions.ts';
import watches from './rules/watches.ts';
import writes from './rules/writes.ts';

const specimen = join(import.meta.dirname, `../../../fixtures/clients/specimen/main${extname(import.meta.filename)}`);
/** The specimen needs no compiler and waits no longer than it must. */
const specimenPatience = 8_000;

/** A path of it, or a name on the search path; Windows adds endings of its own. */
const isThere = (program: string): boolean =>
  process.platform === 'win32' ||
  (/\//.test(program)
    ? existsSync(program)
    : (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program))));

const rules: readonly PartyRule<ClientContext>[] = [
  ...lists,
  ...watches,
  ...versions,
  ...load,
  ...credentials,
  ...execPlugin,
  ...writes,
  ...reads,
  ...certificates,
  ...leading,
];

export const clientParty: Party<ClientCandidate, ClientContext> = {
  name: 'client',
  about:
    'Judges a client: starts COMMAND against a server that misbehaves within what the documents allow.\nCOMMAND keeps a copy of the Secrets of a namespace and prints it as a line of JSON whenever it changes.',
  examples: ['-- node my-client.js', "--rule client.watch --patience 60 -- python3 watch.py '{}'", '--self-check'],
  operands: '-- COMMAND [ARGUMENT…]',
  flags: [{ name: 'patience', value: 'SECONDS', help: 'how long to wait for what the client should do (default 30)' }],
  rules,
  candidate(values, command) {
    const [program] = command;
    if (program === undefined) throw new UsageError('name the command of the client after --');
    if (!isThere(program)) throw new UsageError(`there is no program ${program}`);
    return { command, patience: positive('patience', String(values.patience ?? '30')) * 1_000 };
  },
  called: ({ command }) => command.join(' '),
  open: openClient,
  specimen: async (fault) => ({
    candidate: {
      command: [process.execPath, specimen, ...(fault ? [`--fault=${fault}`] : [])],
      patience: specimenPatience,
    },
    stop: async () => undefined,
  }),
  dead: ['does-nothing', 'ends-at-once', 'always-empty'],
};
