import { type ChildProcess, spawn } from 'node:child_process';
import { Breach, Skipped } from '../../verbs/breach.ts';
import { type WaitOptions, waitUntil } from '../../verbs/wait-until.ts';
import type { Copy } from './world.ts';

/** Exit code by which a client says that it does not know the scenario. */
const unknownScenario = 64;

/** A client at work. */
export interface ClientProcess {
  /** Every line that it printed as JSON, in order; other lines are left out. */
  readonly printed: () => readonly Copy[];
  /** All that it wrote, both streams. */
  readonly output: () => string;
  /** Waits until the last line is this. @throws Breach telling what was last shown; Skipped for an unknown scenario */
  readonly shows: (copy: Copy, what: string) => Promise<void>;
  /** Waits until it has ended by itself and gives its exit code. @throws as `shows` */
  readonly ends: () => Promise<number>;
  /** Throws Skipped when it does not know the scenario. */
  readonly knowsScenario: () => void;
  readonly hasEnded: () => boolean;
  /** Whether it has ended so long ago that nothing of it can come any more. */
  readonly isGone: () => boolean;
  readonly stop: () => Promise<void>;
}

interface Parts {
  /** `{}` in it stands for the client configuration. */
  readonly command: readonly string[];
  readonly kubeconfig: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds to wait for what should come. */
  readonly patience: number;
}

/** Milliseconds after which what a client did last has come, when it has ended. */
const aftermath = 500;

/** More of what a client writes is not kept. */
const mostCharacters = 1 << 22;

/** Characters of a line, and of all copies with some for each: who writes more is ended. */
const limits = { line: 1 << 26, copies: 1 << 28, each: 100 };

/** Starts the command in a process group of its own. */
export function startClient({ command, kubeconfig, environment, patience }: Parts): ClientProcess {
  const [program = '', ...args] = command.map((word) => word.replaceAll('{}', kubeconfig));
  const env = { ...process.env, ...environment, KUBECONFIG: kubeconfig };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const said = listen(child);
  let code: number | undefined;
  child.once('error', (error) => said.add(error.message));
  let closedAt = Number.POSITIVE_INFINITY;
  const closed = new Promise<void>((resolve) =>
    child.once('close', () => {
      closedAt = performance.now();
      resolve();
    }),
  );
  const isGone = (): boolean => performance.now() > closedAt + aftermath;
  child.once('exit', (given) => {
    code = given ?? -1;
  });
  return {
    printed: said.printed,
    output: said.text,
    ...waiting(said, () => code, { limit: patience, isOver: isGone }),
    isGone,
    hasEnded: () => code !== undefined,
    stop: () => end(child, closed),
  };
}

function waiting(
  { printed, text }: Pick<ReturnType<typeof listen>, 'printed' | 'text'>,
  code: () => number | undefined,
  options: WaitOptions,
): Pick<ClientProcess, 'knowsScenario' | 'shows' | 'ends'> {
  const knowsScenario = (): void => {
    if (code() === unknownScenario) throw new Skipped('the client does not play this scenario');
  };
  return {
    knowsScenario,
    async shows(copy, what) {
      const expected = canonical(copy);
      const shown = `the client shows ${what}: ${brief(expected)}`;
      const isShown = (seen: Copy | undefined): boolean => seen !== undefined && canonical(seen) === expected;
      await waitUntil(shown, async () => printed().at(-1), isShown, options).catch((error) => {
        knowsScenario();
        throw withOutput(error, text());
      });
    },
    async ends() {
      const ended = await waitUntil(
        'the client ends',
        async () => code(),
        (now) => now !== undefined,
        options,
      );
      knowsScenario();
      return ended ?? -1;
    },
  };
}

const brief = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

/** The same text for the same content; no data is the same as none in it. */
const canonical = (copy: Copy): string =>
  JSON.stringify(copy, (_, value = null) =>
    value === null
      ? {}
      : typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
        : value,
  );

function withOutput(error: unknown, text: string): unknown {
  const tail = text.trim().split('\n').slice(-3).join('\n').slice(-500);
  return error instanceof Breach && tail ? new Breach(error.kind, `${error.message}\nit wrote: ${tail}`) : error;
}

function listen({ stdout, stderr, pid }: ChildProcess) {
  let text = '';
  const add = (chunk: string): void => {
    text = (text + chunk).slice(-mostCharacters);
  };
  const { printed, take } = copies(() => {
    add('\nit was ended: nobody can read all that it writes\n');
    if (pid !== undefined) kill(pid, 'SIGKILL');
  });
  stderr?.setEncoding('utf8').on('data', add);
  stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    add(chunk.length > 2_000 ? `${chunk.slice(0, 2_000)}…\n` : chunk);
    take(chunk);
  });
  return { printed: () => printed, text: () => text, add };
}

/** The copies in what is taken, line by line. @param tooMany told when there is more than can be kept */
function copies(tooMany: () => void) {
  const printed: Copy[] = [];
  let [rest, kept] = ['', 0];
  const take = (chunk: string): void => {
    const [first = '', ...more] = chunk.split('\n');
    const lines = [rest + first, ...more];
    rest = lines.pop() ?? '';
    for (const line of lines.filter((each) => each.startsWith('{'))) {
      printed.push(...parsed(line));
      kept += line.length + limits.each;
    }
    if (rest.length <= limits.line && kept <= limits.copies) return;
    rest = '';
    tooMany();
  };
  return { printed, take };
}

function parsed(line: string): Copy[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** Milliseconds between asking a client to end and ending it. */
const grace = 2_000;

async function end(child: ChildProcess, closed: Promise<void>): Promise<void> {
  if (child.pid === undefined) return;
  kill(child.pid, 'SIGTERM');
  const timer = setTimeout(() => {
    kill(child.pid ?? 0, 'SIGKILL');
    // Who has left its group may hold its output for ever.
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, grace);
  await closed;
  clearTimeout(timer);
  // Whoever of its group outlived it.
  kill(child.pid, 'SIGKILL');
}

function kill(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // It has ended.
  }
}
