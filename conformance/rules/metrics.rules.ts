import { defineRule } from '../rule.ts';
import { answerHeader, answerStatus, changeText } from '../sabotage/transforms.ts';
import { denying, rejected, uncounted } from './webhook-rejections.ts';

const metrics = { path: /^\/metrics$/ };

export default [
  // `/metrics` tells the server's metrics as text.
  defineRule('metrics.endpoint', {
    sabotage: [
      answerStatus(404, metrics),
      changeText('answers something else', () => '{}', metrics),
      answerHeader('content-type', 'application/json', metrics),
    ],
    async check({ send, expect }) {
      const answer = await send('GET', '/metrics');
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^(text\/plain|application\/openmetrics-text)/);
      const lines = answer.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      expect(lines.length, 'samples').toBeGreaterThan(0);
      const sample = /^[a-zA-Z_:][\w:]*(\{.*\})? \S+( -?\d+)?$/;
      expect(lines.filter((line) => !sample.test(line))).toEqual([]);
    },
  }),

  // `apiserver_admission_webhook_rejection_count` counts what webhooks refused.
  defineRule('metrics.webhook-rejection', {
    needs: ['webhooks'],
    sabotage: uncounted,
    async check(context) {
      const { answer, samples } = await rejected(context, denying({ code: 403 }));
      context.expect(answer.status).toBe(403);
      context
        .expect(
          samples.map(({ count }) => count),
          'one rejection',
        )
        .toEqual([1]);
    },
  }),
];
