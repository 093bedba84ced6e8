import { readFileSync } from 'node:fs';

/** Milliseconds between two looks at who started us. */
const lookEvery = 250;

/**
 * Resolves at the first SIGTERM, SIGINT or SIGHUP, or when the npx that started us is gone: it tells nobody but a shell that tells
 * nobody. A second signal, whichever, ends the process at once. A terminal that is closed says so too, and may say it twice.
 */
export function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    let told = false;
    const tell = () => {
      if (told) process.exit(1);
      told = true;
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, tell);
    process.on('SIGHUP', () => {
      if (!told) tell();
    });
    if (process.env['npm_command'] !== 'exec') return;
    const starters = lineage();
    const timer = setInterval(() => {
      if (lineage() === starters) return;
      clearInterval(timer);
      resolve();
    }, lookEvery).unref();
  });
}

/** Parent and, where that can be told, grandparent: the shell and npx. */
function lineage(): string {
  const { ppid } = process;
  try {
    // The name in brackets may hold anything; behind it come the state and the parent.
    const [, , parent = ''] = readFileSync(`/proc/${ppid}/stat`, 'utf8').replace(/^.*\)/s, ')').split(' ');
    return `${ppid} ${parent}`;
  } catch {
    return String(ppid);
  }
}
