import { expect, it, onTestFinished } from 'vitest';
import { startTestServer } from './test-server.fixture.ts';

const namespaces = '/api/v1/namespaces';
const writers = 6;

it('what is created while its namespace is deleted is refused or goes with it', async () => {
  const server = await startTestServer({ controllers: ['namespace'] });
  onTestFinished(() => server.stop());
  for (let round = 0; round < 8; round++) {
    // A name that comes again, as tests use them.
    const name = `race-${round % 2}`;
    const path = `${namespaces}/${name}/configmaps`;
    await expect.poll(() => server.post(namespaces, { metadata: { name } })).toMatchObject({ status: 201 });
    const codes = new Set<number>();
    const write = async (writer: number) => {
      for (let n = 0; ; n++) {
        const { status } = await server.post(path, { metadata: { name: `c${writer}-${n}` } });
        codes.add(status);
        // It is there a moment longer; then there is none of that name.
        if (status === 404) return;
      }
    };
    const work = Array.from({ length: writers }, (_, writer) => write(writer));
    await expect.poll(async () => (await server.get(path)).body.items.length).toBeGreaterThan(round);
    await server.delete(`${namespaces}/${name}`);
    await Promise.all(work);
    expect([...codes].sort()).toEqual(expect.arrayContaining([201, 404]));
    expect([...codes].filter((code) => ![201, 403, 404].includes(code))).toEqual([]);
    await expect.poll(async () => (await server.get(`${namespaces}/${name}`)).status).toBe(404);
    expect((await server.get('/api/v1/configmaps')).body.items.filter(inNamespace(name))).toEqual([]);
  }
});

const inNamespace = (name: string) => (object: { metadata: { namespace: string } }) =>
  object.metadata.namespace === name;
