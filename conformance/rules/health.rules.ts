import { defineRule, type Rule } from '../rule.ts';
import { answerStatus, answerWith, changeText, redirectPath } from '../sabotage/transforms.ts';

/** The endpoint answers, healthy, with a body for people. */
const answers = (id: string, path: string): Rule =>
  defineRule(id, {
    sabotage: [
      answerStatus(503, { path: new RegExp(`^${path}$`) }),
      answerWith(200, {}, { path: new RegExp(`^${path}$`) }),
      redirectPath(new RegExp(`^${path}$`), `${path}/no-such-check`, { path: new RegExp(`^${path}$`) }),
      changeText('tells of each check unasked', (text) => `[+]ping ${text}`, { path: new RegExp(`^${path}$`) }),
    ],
    async check({ send, expect }) {
      const answer = await send('GET', path);
      expect(answer.status).toBe(200);
      expect(answer.text.trim()).toBe('ok');
    },
  });

export default [
  // `/healthz` still answers, deprecated as it is.
  answers('health.healthz', '/healthz'),
  // `/livez` says whether the server lives.
  answers('health.livez', '/livez'),
  // `/readyz` says whether the server is ready.
  answers('health.readyz', '/readyz'),

  // 200 stands for a server in good health.
  defineRule('health.status-200', {
    sabotage: [
      answerStatus(204, { path: /^\/(livez|readyz|healthz)$/ }),
      redirectPath(/^\/readyz$/, '/readyz/no-such-check', { path: /^\/readyz$/ }),
    ],
    async check({ send, namespace, expect }) {
      // That it serves shows that it is healthy, whatever the endpoints say.
      await namespace();
      for (const path of ['/livez', '/readyz', '/healthz']) expect((await send('GET', path)).status, path).toBe(200);
    },
  }),

  // Single checks can be left out of the result.
  defineRule('health.exclude', {
    sabotage: [
      answerStatus(500, { query: { exclude: true } }),
      changeText('excludes nothing', (text) => text.replaceAll(' excluded: ok', ' ok'), { query: { exclude: true } }),
    ],
    async check({ send, expect }) {
      const verbose = await send('GET', '/livez?verbose');
      const name = /^\[\+\](\S+) ok$/m.exec(verbose.text)?.[1];
      expect(name, 'a check to exclude').toBeTypeOf('string');
      expect((await send('GET', '/livez', { query: { exclude: name ?? '' } })).status).toBe(200);
      const without = await send('GET', '/livez', { query: { verbose: 'true', exclude: name ?? '' } });
      expect(without.text.split('\n'), `${name} is not judged any more`).not.toContain(`[+]${name} ok`);
      expect(without.status).toBe(200);
    },
  }),
];
