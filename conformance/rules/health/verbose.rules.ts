import { defineRule } from '../../rule.ts';
import { changeText } from '../../sabotage/transforms.ts';

const verbose = { query: { verbose: true } };
const endpoints = ['healthz', 'livez', 'readyz'];

export default [
  // Asked with `verbose`, each check that passes has a line `[+]<check> ok`.
  defineRule('health.verbose.lines', {
    sabotage: [
      changeText('marks checks otherwise', (text) => text.replaceAll('[+]', '[*]'), verbose),
      changeText('says only ok', () => 'ok', verbose),
    ],
    async check({ send, expect }) {
      for (const endpoint of endpoints) {
        const answer = await send('GET', `/${endpoint}?verbose`);
        expect(answer.status, endpoint).toBe(200);
        const lines = answer.text.trimEnd().split('\n').slice(0, -1);
        expect(lines.length, `checks of ${endpoint}`).toBeGreaterThan(0);
        for (const line of lines) expect(line, endpoint).toMatch(/^\[\+\]\S+ ok$/);
      }
    },
  }),

  // Verbose output closes with the words `check passed`.
  defineRule('health.verbose.end', {
    sabotage: changeText('leaves out the end', (text) => text.replace(/\n.*check passed\n?$/, '\n'), verbose),
    async check({ send, expect }) {
      for (const endpoint of endpoints) {
        const last = (await send('GET', `/${endpoint}?verbose`)).text.trimEnd().split('\n').at(-1);
        // Genuine servers name the endpoint itself.
        expect([`${endpoint} check passed`, 'healthz check passed'], endpoint).toContain(last);
      }
    },
  }),
];
