import { it } from 'vitest';
import { startTestServer } from './test-server.fixture.ts';
it('x', async () => {
  const s = await startTestServer({ log: { info() {}, debug() {}, error: (m, e) => console.log(m, e) } });
  const labels = { app: 'web' };
  await s.post('/apis/apps/v1/namespaces/default/deployments', { metadata: { name: 'web' }, spec: { replicas: 3, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'x' }] } } } });
  const a = await s.patch('/apis/apps/v1/namespaces/default/deployments/web/status', { status: { replicas: 3, conditions: [{ type: 'Available', status: 'True' }] } }, 'application/merge-patch+json');
  console.log(a.status, a.text);
  await s.stop();
});
