import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worked } from '../../../fixtures/worked.fixture.ts';
import { encodeObject } from './encode.ts';

const json = async (value: unknown, pretty: boolean) =>
  (await encodeObject(value, 'application/json', pretty)).toString();

describe('JSON as it is sent', () => {
  it('is laid out as the engine would lay it out', async () => {
    const value = fc.jsonValue({ maxDepth: 6, noUnicodeString: false }).filter((each) => each !== undefined);
    await fc.assert(
      fc.asyncProperty(value, async (each) => {
        expect(await json(each, true)).toBe(`${JSON.stringify(each, null, 2)}\n`);
        expect(await json(each, false)).toBe(`${JSON.stringify(each)}\n`);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps every digit of large numbers', async () => {
    expect(await json({ a: [18446744073709551615n] }, true)).toBe('{\n  "a": [\n    18446744073709551615\n  ]\n}\n');
  });

  it('is laid out in time that grows with its length alone', async () => {
    const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`;
    const begin = worked();
    await json(JSON.parse(deep), true);
    await json({ text: '\\"'.repeat(500_000) }, true);
    expect(worked() - begin).toBeLessThan(1500);
  });
});

it('YAML is sorted and leaves out what is undefined', async () => {
  const bytes = await encodeObject({ b: 1, a: undefined, c: 'yes' }, 'application/yaml', false);
  expect(bytes.toString()).toBe('b: 1\nc: "yes"\n');
});
