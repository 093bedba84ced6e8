import { ok } from 'node:assert/strict';
import { seconds } from './figures.ts';
import type { Folder } from './folder.ts';

const job = `import { Client, connect, jobs, systemClock } from 'touchstone/controllers';
const connection = await connect({ file: 'kubeconfig' });
const client = new Client({ connection, clock: systemClock, signal: AbortSignal.timeout(60_000), userAgent: 'trial' });
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } };
const at = { namespace: 'default', name: 'hello' };
await client.create(jobs, { metadata: { name: 'hello' }, spec: { template } }, { namespace: 'default' });
while (!(await client.get(jobs, at)).status?.succeeded) await new Promise((resolve) => setTimeout(resolve, 20));
connection.close();
`;

/** What a newcomer does after the installation. */
export function finishJob(folder: Folder): string {
  const began = Date.now();
  const home = `HOME=${folder.path}`;
  folder.run('env', home, 'npx', 'touchstone', 'up', '--detach', '--secure-port=0', '--write-kubeconfig=kubeconfig');
  try {
    folder.script('job.mjs', job);
    const took = Date.now() - began;
    ok(took < 30_000, `up to a finished Job took ${took} ms`);
    return seconds(took);
  } finally {
    folder.run('env', home, 'npx', 'touchstone', 'down');
  }
}

/** Its files are data, which the compiler does not see. */
export function showPage(folder: Folder): undefined {
  folder.script(
    'page.mjs',
    `import { get } from 'node:https';
import { startServer } from 'touchstone';
await using server = await startServer({ ui: true });
const options = { ca: server.certificateAuthority, agent: false, headers: { authorization: 'Bearer ' + server.adminToken } };
const document = await new Promise((resolve, reject) =>
  get(server.url + '/openapi/v2', options, (answer) => {
    let text = '';
    answer.on('data', (part) => (text += part)).on('end', () => resolve(JSON.parse(text)));
  }).on('error', reject));
if (!document.definitions['io.k8s.api.core.v1.PodSpec'].description) throw new Error('what fields are for is not told');
for (const file of ['', 'page.css', 'grid.css', 'page.js', 'objects.js', 'grid.js', 'yaml.js']) {
  const status = await new Promise((resolve, reject) =>
    get(server.url + '/touchstone/ui/' + file, options, (answer) => resolve(answer.resume().statusCode)).on('error', reject));
  if (status !== 200) throw new Error(file + ': ' + status);
}\n`,
  );
}
