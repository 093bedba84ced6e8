import { defineRule, type Rule } from '../../rule.ts';
import { answerStatus, answerWith, changeText, redirectPath } from '../../sabotage/transforms.ts';
import type { Send } from '../../verbs/client.ts';

/** Names of the checks of an endpoint, as its verbose output tells them. */
async function checkNames(send: Send, endpoint: string): Promise<string[]> {
  const { text } = await send('GET', `${endpoint}?verbose`);
  return [...text.matchAll(/^\[\+\](\S+) ok$/gm)].map(([, name]) => name ?? '');
}

const single = (id: string, endpoint: string): Rule =>
  defineRule(id, {
    sabotage: [
      answerStatus(404, { path: new RegExp(`^${endpoint}/.+`) }),
      answerWith(200, 'ok', { path: new RegExp(`^${endpoint}/no-such-check$`) }),
      redirectPath(new RegExp(`^${endpoint}/.+`), endpoint, { path: new RegExp(`^${endpoint}/.+`) }),
      redirectPath(new RegExp(`^${endpoint}/[a-z].*`), endpoint, { path: new RegExp(`^${endpoint}/(?!no-such)`) }),
    ],
    async check({ send, expect }) {
      const names = await checkNames(send, endpoint);
      expect(names.length, 'checks').toBeGreaterThan(0);
      for (const name of names) {
        const answer = await send('GET', `${endpoint}/${name}`);
        expect(answer.status, name).toBe(200);
        const { text } = await send('GET', `${endpoint}/${name}?verbose`);
        const others = names.filter((other) => other !== name && text.includes(`[+]${other} `));
        expect(others, `others that are told of by ${name} alone`).toEqual([]);
      }
      expect((await send('GET', `${endpoint}/no-such-check`)).status, 'a check that does not exist').toBe(404);
    },
  });

export default [
  // Below `/livez/` each check can be asked by its name.
  single('health.check.livez', '/livez'),
  // Below `/readyz/` each check can be asked by its name.
  single('health.check.readyz', '/readyz'),

  // A check's name is the text between `[+]` and `ok` in verbose output.
  defineRule('health.check.name', {
    sabotage: changeText('tells other names', (text) => text.replaceAll('[+]', '[+]the-'), {
      query: { verbose: true },
    }),
    async check({ send, expect }) {
      const names = await checkNames(send, '/readyz');
      expect(names.length, 'checks').toBeGreaterThan(0);
      for (const name of names) expect((await send('GET', `/readyz/${name}`)).status, name).toBe(200);
    },
  }),
];
