import { spawn } from 'node:child_process';

/**
 * Runs a command for as long as whoever started this holds its standard input open: a server that was started for a
 * rule must not outlive the suite, however that ends.
 */
const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

/** Milliseconds that it has to end by itself. */
const grace = 30_000;

const stop = (): void => {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), grace);
};
process.stdin.resume().on('end', stop).on('error', stop);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);

child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));
