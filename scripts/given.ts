// The flags of a script. A mistake is said in a line, and ends the script with 2.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { mistyped } from '../mistyped.ts';

export function given<T extends ParseArgsConfig>(script: string, config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const flags = Object.keys(config.options ?? {});
    const known = `there are ${flags.map((flag) => `--${flag}`).join(', ')}`;
    return mistaken(script, mistyped(error, flags).replace('--help lists the flags', known));
  }
}

/** The value of a flag that is a number: without one a script would do nothing, and find nothing wrong. */
export function numberGiven(
  script: string,
  flag: string,
  text: string,
  least: 'above 0' | 'from 0 up' = 'above 0',
): number {
  const number = Number(text);
  const isEnough = number > 0 || (number === 0 && least === 'from 0 up');
  return isEnough ? number : mistaken(script, `--${flag} takes a number ${least}, not ${JSON.stringify(text)}`);
}

export function mistaken(script: string, text: string): never {
  process.stderr.write(`${script}: ${text}\n`);
  process.exit(2);
}
