import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeAnyYaml, encodeYaml } from './yaml.ts';

/** Texts that YAML has its own ideas about, and such as objects are full of. */
const texts = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.string({
    unit: fc.constantFrom('a', '1', '\n', ' ', ':', '#', '-', "'", '"', '|', '.', '\t', '{', '%'),
    maxLength: 8,
  }),
  // What begins with a letter stands for itself, mostly.
  fc.string({ unit: fc.constantFrom(...'ae0 :.-_/{}"\',=()@+*#'), maxLength: 8 }).map((text) => `e${text}`),
  fc.string({ unit: fc.constantFrom('0', '1', '9'), maxLength: 9 }),
  fc.constantFrom(
    ...[
      '',
      'y',
      'No',
      'NULL',
      '~',
      'true',
      '0x1f',
      '1_000',
      '1e3',
      '.inf',
      '.',
      '..',
      '<<',
      '=',
      '2026-01-01T00:00:00Z',
    ],
    ...[
      '-',
      '- a',
      '? a',
      'a: b',
      'a #b',
      '#a',
      '&a',
      '*a',
      '!a',
      '|',
      '>',
      '%a',
      '@a',
      '`a',
      'key:',
      '---',
      '...',
      '1:30',
    ],
    ...[
      'nginx:1.25',
      'app.kubernetes.io/name',
      '10Gi',
      '0755',
      'a\nb\n',
      'a\n\nb',
      '\n',
      ' a',
      'a ',
      'a\n  b\n',
      'x'.repeat(300),
      `${'word '.repeat(40)}end`,
      `# ${'word '.repeat(20)}  two`,
    ],
  ),
);
const scalars = fc.oneof(
  texts,
  fc.integer(),
  fc.double(),
  fc.bigInt(),
  fc.boolean(),
  fc.constantFrom(null, -0, 1e21, 5e-7),
);
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'medium' }, scalars, tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.dictionary(texts, fc.oneof(tie('value'), fc.constant(undefined)), { maxKeys: 4 }),
}));

describe('YAML that is written quickly', () => {
  it('is the same as what is written with care', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(encodeYaml(value)).toBe(encodeAnyYaml(value));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    [{}, '{}\n'],
    [[], '[]\n'],
    [{ b: [], a: {}, c: { d: undefined } }, 'a: {}\nb: []\nc: {}\n'],
    [
      { list: [{ name: 'a', ports: [1, 2] }, [['x'], 'z']] },
      'list:\n- name: a\n  ports:\n  - 1\n  - 2\n- - - x\n  - z\n',
    ],
    [{ a: { text: 'one\n\ntwo\n' } }, 'a:\n  text: |\n    one\n\n    two\n'],
  ])('%j', (value, text) => {
    expect(encodeYaml(value)).toBe(text);
  });
});
