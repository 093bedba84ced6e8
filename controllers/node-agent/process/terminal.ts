import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { pause, systemClock } from '../../runtime/clock.ts';
import type { TerminalSize } from '../container-runtime.ts';
import type { ProcessSpec } from './container-process.ts';

const terminalMaker = '/usr/bin/script';

/** Whether this machine has what makes terminals. */
export const hasTerminals = (): boolean => process.platform === 'linux' && existsSync(terminalMaker);

/** The same command on a terminal of its own, where the machine has what makes one. */
export function onTerminal(spec: ProcessSpec): ProcessSpec {
  if (!hasTerminals()) return spec;
  const quoted = spec.argv.map((each) => `'${each.replaceAll("'", `'\\''`)}'`).join(' ');
  return { ...spec, argv: [terminalMaker, '-qefc', `exec ${quoted}`, '/dev/null'] };
}

/** A terminal is there soon after its maker has begun: how often it is looked for, and the milliseconds between. */
const patience = { looks: 80, between: 25 };

/** What gives the terminal of a command new sizes; of several that come at once the last counts. */
export function sizing(child: ChildProcess): (size: TerminalSize) => void {
  let wanted: TerminalSize | undefined;
  let busy = false;
  const apply = async () => {
    busy = true;
    for (let looks = 0; wanted && looks < patience.looks && child.exitCode === null; looks += 1) {
      const terminal = terminalOf(child);
      if (!terminal) {
        await pause(systemClock, patience.between);
        continue;
      }
      const { columns, rows } = wanted;
      wanted = undefined;
      await run('stty', '-F', terminal, 'cols', String(columns), 'rows', String(rows));
    }
    busy = false;
  };
  return (size) => {
    wanted = size;
    if (!busy) void apply();
  };
}

/** Where the command sits that the maker has started; undefined while there is none. */
function terminalOf({ pid = 0 }: ChildProcess): string | undefined {
  try {
    const [command = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    const path = readlinkSync(`/proc/${command}/fd/0`);
    return path.startsWith('/dev/pts/') ? path : undefined;
  } catch {
    return undefined;
  }
}

/** A size that cannot be set is no reason to end a command. */
const run = (command: string, ...args: readonly string[]): Promise<void> =>
  new Promise((resolve) => execFile(command, args, () => resolve()));
