import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../mistyped.ts';
import { untilTold } from '../../until-told.ts';
import { optionsFrom, parseFlags } from '../options/command-line.ts';
import { serverFlags } from '../options/flags.ts';
import type { ServerOptions } from '../options/options.ts';
import { stderrLog } from '../request/log.ts';
import { startServer } from '../start.ts';

/**
 * The stand-in for `kube-apiserver`: takes its flags, leaves out those that this server has not and those of etcd, and keeps all in memory.
 * Resolves with the exit code once it has been told to stop.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { known, unknown } = sortFlags(args);
  for (const name of unknown) process.stderr.write(`touchstone: --${name} is left out\n`);
  try {
    const told = untilTold();
    const given = optionsFrom(parseFlags(serverFlags, known)) as unknown as ServerOptions & { certDir: string };
    const server = await startServer({ ...given, ...certificateOf(given), log: stderrLog(given.v) });
    await told;
    await server.stop();
    return 0;
  } catch (error) {
    process.stderr.write(`touchstone: ${error instanceof Error ? error.message : error}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** What lies in `--cert-dir` is shown as it is, whatever names it has, unless another one is named. */
function certificateOf({ certDir, tlsCertFile }: ServerOptions & { certDir: string }): Partial<ServerOptions> {
  const files = { tlsCertFile: join(certDir, 'apiserver.crt'), tlsPrivateKeyFile: join(certDir, 'apiserver.key') };
  return tlsCertFile || !Object.values(files).every((file) => existsSync(file)) ? {} : files;
}

/** All but those of an etcd: the one that is named is a stand-in too. */
const names = new Set(serverFlags.map(({ name }) => name).filter((name) => !/^etcd-(?!compaction)/.test(name)));

/** A flag may have its value behind `=`, or as the next argument. */
export function sortFlags(args: readonly string[]): { readonly known: string[]; readonly unknown: string[] } {
  const known: string[] = [];
  const unknown: string[] = [];
  let keeps = true;
  for (const arg of args) {
    const [, name] = /^--([^=]+)/.exec(arg) ?? [];
    if (name !== undefined) {
      keeps = names.has(name);
      if (!keeps) unknown.push(name);
    }
    if (keeps) known.push(arg);
  }
  return { known, unknown };
}
