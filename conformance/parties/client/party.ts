import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, extname, join, sep } from 'node:path';
import { UsageError } from '../../../mistyped.ts';
import { positive } from '../../commands/flag-values.ts';
import { TargetFault } from '../../target/inspect.ts';
import type { Party, PartyRule } from '../party.ts';
import { type ClientCandidate, type ClientContext, openClient } from './context.ts';
import certificates from './rules/certificates.ts';
import credentials from './rules/credentials.ts';
import errors from './rules/errors.ts';
import execPlugin from './rules/exec-plugin.ts';
import leading from './rules/leading.ts';
import lists from './rules/lists.ts';
import load from './rules/load.ts';
import reads from './rules/reads.ts';
import refusals from './rules/refusals.ts';
import relists from './rules/relists.ts';
import versions from './rules/versions.ts';
import watches from './rules/watches.ts';
import writes from './rules/writes.ts';

const specimen = join(import.meta.dirname, `../../../fixtures/clients/specimen/main${extname(import.meta.filename)}`);
/** The specimen needs no compiler and waits no longer than it must. */
const specimenPatience = 8_000;
/** From the dead nothing comes, however long one waits. */
const deadPatience = 3_000;
const dead = ['does-nothing', 'ends-at-once', 'always-empty'];

const rules: readonly PartyRule<ClientContext>[] = [
  ...lists,
  ...watches,
  ...errors,
  ...relists,
  ...versions,
  ...load,
  ...refusals,
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
    if (command.length === 0) throw new UsageError('name the command of the client after --');
    return { command, patience: positive('patience', String(values.patience ?? '30')) * 1_000 };
  },
  inspect: async ({ command: [program = ''] }) => {
    // Windows puts endings of its own to a name.
    if (process.platform !== 'win32' && !placesOf(program).some(canRun))
      throw new TargetFault(`${program} cannot be run: no such program is found.`);
  },
  called: ({ command }) => command.join(' '),
  open: openClient,
  specimen: async (fault) => ({
    candidate: {
      command: [process.execPath, specimen, ...(fault ? [`--fault=${fault}`] : [])],
      patience: fault && dead.includes(fault) ? deadPatience : specimenPatience,
    },
    stop: async () => undefined,
  }),
  // Most of their time is spent on waiting for what the faulty ones never do.
  specimensAtOnce: 12,
  dead,
};

/** Where a program of this name may be. */
const placesOf = (program: string): readonly string[] =>
  program.includes(sep)
    ? [program]
    : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, program));

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
