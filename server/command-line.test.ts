import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Flag } from './base/flag.ts';
import { helpText, optionsFrom, parseDuration, parseFlags, UsageError } from './command-line.ts';

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
  flag('wait-time', 'duration', '1m0s'),
];
const parse = (...args: string[]) => optionsFrom(parseFlags(flags, args));

describe('a duration', () => {
  it.each([
    ['0', 0],
    ['0s', 0],
    ['1s', 1000],
    ['1.5s', 1500],
    ['2m', 120_000],
    ['1h0m0s', 3_600_000],
    ['1h2m3.5s', 3_723_500],
    ['10ms', 10],
    ['1us', 0.001],
    ['1µs', 0.001],
    ['1000000ns', 1],
    ['-1s', -1000],
    ['+1s', 1000],
    ['8760h0m0s', 31_536_000_000],
  ])('%s is %d milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBeCloseTo(milliseconds, 9);
  });

  it.each(['', '1', 's', '1d', '1 s', '1s ', '1,5s', '--1s', '1h-2m', '.s', '1e3s', 'Infinitys'])(
    '%j is none',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it('takes no time to read, however long it is', () => {
    const begin = performance.now();
    expect(parseDuration(`${'1s'.repeat(50_000)}x`)).toBeUndefined();
    expect(parseDuration('1'.repeat(100_000))).toBeUndefined();
    expect(performance.now() - begin).toBeLessThan(500);
  });
});

describe('a command line', () => {
  it('gives what was not said its default', () => {
    expect(parse()).toEqual({ someNames: [], loud: false, count: 3, waitTime: 60_000 });
  });

  it('may have its values behind an equals sign or a blank', () => {
    const expected = { name: 'x', someNames: ['a', 'b'], loud: true, count: -7, waitTime: 2000 };
    expect(parse('--name=x', '--some-names=a,b', '--loud=true', '--count=-7', '--wait-time=2s')).toEqual(expected);
    expect(parse('--name', 'x', '--some-names', 'a,b', '--loud', '--count', '-7', '--wait-time', '2s')).toEqual(
      expected,
    );
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
    [['--unknown'], 'unknown flag --unknown'],
    [['--constructor=x'], 'unknown flag --constructor'],
    [['word'], 'unexpected argument "word"'],
    [['-n'], 'unexpected argument "-n"'],
    [['--name'], '--name needs a value'],
    [['--loud=maybe'], '--loud takes true or false, not "maybe"'],
    [['--count=1.5'], '--count takes a whole number, not "1.5"'],
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
