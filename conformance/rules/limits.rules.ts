import { defineRule } from '../rule.ts';
import { answerStatus, forceQuery } from '../sabotage/transforms.ts';

const big = 'a'.repeat(100_000);
const count = 110;

/** How often a text is found. The list is not read as JSON: that would take its memory three times over. */
function timesIn(bytes: Buffer, text: string): number {
  let times = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) times += 1;
  return times;
}

export default [
  // Tens of thousands of pods in one list can come to 20 MB and are answered all the same.
  defineRule('limits.large-list', {
    sabotage: [
      answerStatus(413, { method: 'GET', path: /\/secrets$/ }),
      forceQuery('limit', '100', { method: 'GET', path: /\/secrets$/ }),
    ],
    async check({ secrets, expect }) {
      // As long as tens of thousands of pods, of fewer objects, and longer than the ten megabytes that gateways stop at.
      // One after the other: many large bodies at once would take much memory on both sides.
      for (let index = 0; index < count; index++) await secrets.create({ data: { big } });
      const { status, bytes } = await secrets.getAll();
      expect(status).toBe(200);
      expect(bytes.length, 'bytes').toBeGreaterThan(10_000_000);
      expect(timesIn(bytes, '"big":'), 'objects').toBe(count);
    },
  }),
];
