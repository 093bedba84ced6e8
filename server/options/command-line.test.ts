import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../mistyped.ts';
import type { Flag } from '../base/flag.ts';
import { helpText, optionsFrom, parseFlags } from './command-line.ts';

const flag = (name: string, type: Flag['type'], fallback = ''): Flag => ({
  name,
  type,
  default: fallback,
  help: 'Helps.',
});
const flags = [
  flag('name', 'string'),
  flag('some-names', 'strings'),
  flag('loud', 'boolean', 'false'),
  flag('count', 'int', '3'),
  flag('chance', 'number', '0.5'),
  flag('wait-time', 'duration', '1m0s'),
];
const parse = (...args: string[]) => optionsFrom(parseFlags(flags, args));

describe('a command line', () => {
  it('gives what was not said its default', () => {
    expect(parse()).toEqual({ someNames: [], loud: false, count: 3, chance: 0.5, waitTime: 60_000 });
  });

  it('may have its values behind an equals sign or a blank', () => {
    const expected = { name: 'x', someNames: ['a', 'b'], loud: true, count: -7, chance: 0.02, waitTime: 2000 };
    expect(
      parse('--name=x', '--some-names=a,b', '--loud=true', '--count=-7', '--chance=.02', '--wait-time=2s'),
    ).toEqual(expected);
    expect(
      parse('--name', 'x', '--some-names', 'a,b', '--loud', '--count', '-7', '--chance', '0.02', '--wait-time', '2s'),
    ).toEqual(expected);
  });

  it('adds up lists, and lets the last of anything else count', () => {
    expect(parse('--some-names=a', '--some-names=b,c', '--name=x', '--name=y')).toMatchObject({
      someNames: ['a', 'b', 'c'],
      name: 'y',
    });
  });

  it('keeps what stands behind the first equals sign', () => {
    expect(parse('--name=a=b=c')).toMatchObject({ name: 'a=b=c' });
  });

  it.each([
    [['--unknown'], 'unknown flag --unknown; --help lists them'],
    [['--nmae=x'], 'unknown flag --nmae (did you mean --name?); --help lists them'],
    [['--constructor=x'], 'unknown flag --constructor; --help lists them'],
    [['word'], 'unexpected argument "word"'],
    [['-n'], 'unexpected argument "-n"'],
    [['--name'], '--name needs a value'],
    [['--loud=maybe'], '--loud takes true or false, not "maybe"'],
    [['--count=1.5'], '--count takes a whole number, not "1.5"'],
    [['--chance=1e3'], '--chance takes a number, not "1e3"'],
    [['--count='], '--count takes a whole number, not ""'],
    [['--wait-time=5'], '--wait-time takes a duration such as 5m0s, not "5"'],
  ])('%j is refused in one clear line', (args, message) => {
    expect(() => parse(...args)).toThrow(new UsageError(message));
  });

  it('is read or refused, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('--name', '--loud', '--count=1', '--some-names=', '--'))),
        (args) => {
          try {
            parse(...args);
          } catch (error) {
            expect(error).toBeInstanceOf(UsageError);
            expect((error as Error).message).not.toContain('\n');
          }
        },
      ),
    );
  });
});

it('help names every flag with its type and default', () => {
  const text = helpText(flags);
  for (const { name } of flags) expect(text).toContain(`--${name}`);
  expect(text).toContain('--count int\n        Helps. (default 3)');
});
