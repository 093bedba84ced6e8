import { describe, expect, test } from 'vitest';
import { chooseControllers } from './choose.ts';
import { controllerFlags, flagsHelp, parseFlags } from './flags.ts';

describe('flags', () => {
  test('have defaults, take lists, truths and durations', () => {
    expect(parseFlags([])).toMatchObject({
      controllers: ['*'],
      leaderElect: true,
      clusterSigningDuration: 31_536_000_000,
    });
    const given = parseFlags([
      '--controllers=*,-job',
      '--controllers',
      'tokencleaner',
      '--leader-elect',
      '--cluster-signing-duration=1h30m',
    ]);
    expect(given).toMatchObject({
      controllers: ['*', '-job', 'tokencleaner'],
      leaderElect: true,
      clusterSigningDuration: 5_400_000,
    });
  });

  test.each([
    [['--nonsense'], 'nonsense'],
    [['word'], 'word'],
    [['--leader-elect=perhaps'], '--leader-elect takes true or false'],
    [['--cluster-signing-duration=soon'], '--cluster-signing-duration takes a duration'],
    [['--kubeconfig'], 'kubeconfig'],
    [['--logging-format=xml'], '--logging-format takes text or json, not "xml"'],
    [['--node-runtime=proces'], '--node-runtime takes pretended or process, not "proces" (did you mean process?)'],
  ])('%j is a mistake', (args, message) => expect(() => parseFlags(args)).toThrow(message));

  test('are all in the help', () => {
    for (const { name } of controllerFlags) expect(flagsHelp()).toContain(`--${name}`);
  });

  test('without a default tell of none', () => expect(flagsHelp()).not.toContain('(default )'));
});

describe('--controllers', () => {
  const names = (...wanted: string[]) => chooseControllers(wanted).map(({ name }) => name);

  test('* means those that run by default', () => {
    expect(names('*')).toContain('job');
    expect(names('*')).not.toContain('tokencleaner');
  });

  test('a name adds, a name with a dash takes away', () => {
    expect(names('job')).toEqual(['job']);
    expect(names('*', 'tokencleaner', '-job')).toContain('tokencleaner');
    expect(names('*', 'tokencleaner', '-job')).not.toContain('job');
  });

  test('a name that nobody has is a mistake', () =>
    expect(() => names('*', '-jobs')).toThrow('there is no controller "jobs" (did you mean job?)'));
});
