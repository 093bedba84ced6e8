import { execFile, spawn, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { startTestServer, type TestServer } from './test-server.fixture.ts';

/** A day with kubectl, command by command: each goes on from where the one before left off. */

const present = spawnSync('kubectl', ['version', '--client']).status === 0;
// What is made for tests that are all left out is not removed after them.
const home = present ? temporaryFolder() : '';
const kubeconfig = join(home, 'config');
let server: TestServer;

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'],
  HOME: home,
  KUBECONFIG: kubeconfig,
  ...more,
});

/** Runs one command; `input` goes to its standard input. */
function run(
  command: string,
  { input = '', env = {} }: { input?: string | object; env?: Record<string, string> } = {},
): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile('kubectl', words(command), { env: environment(env), timeout: 20_000 }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out, err }),
    );
    child.stdin?.end(typeof input === 'string' ? input : JSON.stringify(input));
  });
}

/** Words at blanks; blanks between single quotes do not count. */
const words = (command: string) =>
  (command.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ''));

/** The output of a command that must succeed. */
async function ok(command: string, how?: Parameters<typeof run>[1]): Promise<string> {
  const { code, out, err } = await run(command, how);
  expect(code, `kubectl ${command}\n${out}${err}`).toBe(0);
  return out.trim();
}

/** The message of a command that must fail. */
async function fails(command: string, how?: Parameters<typeof run>[1]): Promise<string> {
  const { code, out, err } = await run(command, how);
  expect(code, `kubectl ${command}\n${out}${err}`).not.toBe(0);
  return err.trim();
}

const manifest = (name: string, text: string) => {
  const file = join(home, name);
  writeFileSync(file, text);
  return file;
};

const labels = { app: 'web' };
const deployment = (replicas: number, image = 'nginx:1.25') => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'main', image, ports: [{ containerPort: 80 }] }] } },
  },
});

describe.skipIf(!present)('kubectl (skipped where it is not installed)', () => {
  beforeAll(async () => {
    server = await startTestServer();
    writeFileSync(kubeconfig, server.kubeconfig, { mode: 0o600 });
  });
  afterAll(() => server.stop());

  it('finds out what the server is and has', async () => {
    expect(await ok('version -o json')).toContain('"gitVersion": "v1.25');
    expect(await ok('cluster-info')).toContain(server.url);
    const resources = await ok('api-resources --verbs=list,get -o wide');
    expect(resources).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment +/m);
    expect(await ok('api-resources --namespaced=false -o name')).toContain(
      'customresourcedefinitions.apiextensions.k8s.io',
    );
    expect((await ok('api-versions')).split('\n')).toEqual(expect.arrayContaining(['v1', 'apps/v1', 'batch/v1']));
    expect(await ok('get --raw /readyz')).toBe('ok');
    expect(await ok('get namespaces')).toMatch(/^default +Active +\d+s$/m);
  });

  it('explains fields', async () => {
    expect(await ok('explain deployment.spec.replicas')).toMatch(/FIELD: +replicas <integer>/);
    expect(await ok('explain pod.spec --recursive')).toContain('containers');
  });

  it('creates by hand and from manifests', async () => {
    expect(await ok('create namespace shop')).toBe('namespace/shop created');
    expect(await ok('config set-context --current --namespace=shop')).toContain('modified');
    expect(await ok('create configmap settings --from-literal=colour=red --from-literal=size=5')).toBe(
      'configmap/settings created',
    );
    expect(await ok('create secret generic key --from-literal=password=hidden')).toBe('secret/key created');
    expect(await ok('create serviceaccount robot')).toBe('serviceaccount/robot created');
    expect(await ok('create role reader --verb=get,list --resource=pods')).toContain('created');
    expect(await ok('create rolebinding read --role=reader --serviceaccount=shop:robot')).toContain('created');
    expect(await ok('create job once --image=busybox')).toBe('job.batch/once created');
    expect(await ok('create -f -', { input: deployment(1) })).toBe('deployment.apps/web created');
    expect(await ok('expose deployment web --port=80')).toBe('service/web exposed');
    expect(await ok('create configmap dry --dry-run=server -o name')).toBe('configmap/dry');
    expect(await fails('get configmap dry')).toContain('NotFound');
    expect(await fails('create namespace shop')).toContain('AlreadyExists');
    expect(await fails('create -f -', { input: { ...deployment(1), spec: { replicas: 'many' } } })).toMatch(/replicas/);
    expect(
      await fails('create -f - --validate=true', {
        input: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'odd' }, dat: {} },
      }),
    ).toContain('unknown field "dat"');
  });

  it('shows objects in every form', async () => {
    expect(await ok('get deployment web')).toMatch(/^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +0\/1 +0 +0 +\d+s$/);
    expect(await ok('get deploy -o wide')).toMatch(/nginx:1\.25 +app=web/);
    expect(JSON.parse(await ok('get configmap settings -o json')).data).toEqual({ colour: 'red', size: '5' });
    expect(await ok('get configmap settings -o yaml')).toContain('size: "5"');
    expect(await ok("get configmap settings -o jsonpath='{.data.colour}'")).toBe('red');
    expect(await ok("get configmap settings -o go-template='{{.data.size}}'")).toBe('5');
    expect(await ok('get configmap settings -o custom-columns=N:.metadata.name,C:.data.colour')).toMatch(
      /N +C\nsettings +red/,
    );
    expect(await ok('get deployment,service -o name')).toBe('deployment.apps/web\nservice/web');
    expect(await ok('get configmaps -A --sort-by=.metadata.name')).toMatch(/shop +settings +2/);
    expect(await ok('get configmaps --field-selector=metadata.name=settings --show-labels')).toMatch(
      /settings +2 +\d+s +<none>/,
    );
    expect((await ok('get namespaces --chunk-size=2 -o name')).split('\n').length).toBeGreaterThan(4);
    expect(await ok('describe deployment web')).toMatch(/Selector: +app=web/);
    expect(await ok('describe configmap settings')).toContain('colour:\n----\nred');
    expect(await ok('describe namespace shop')).toMatch(/Status: +Active/);
    expect(await fails('get configmap nothing')).toBe('Error from server (NotFound): configmaps "nothing" not found');
    expect(await fails('get nonsense')).toContain("the server doesn't have a resource type");
  });

  it('labels, annotates, scales and patches in each way', async () => {
    expect(await ok('label configmap settings tier=front')).toContain('labeled');
    expect(await fails('label configmap settings tier=back')).toContain('--overwrite');
    expect(await ok('label configmap settings tier=back --overwrite')).toContain('labeled');
    expect(await ok('get configmap -l tier=back -o name')).toBe('configmap/settings');
    expect(await ok('label configmap settings tier-')).toContain('unlabeled');
    expect(await ok('annotate configmap settings note=checked')).toContain('annotated');
    expect(await ok('scale deployment web --replicas=3')).toBe('deployment.apps/web scaled');
    expect(await ok("get deployment web -o jsonpath='{.spec.replicas}'")).toBe('3');
    expect(await fails('scale deployment web --current-replicas=7 --replicas=1')).toContain('Expected replicas');
    expect(await ok(`patch configmap settings --type=merge -p '{"data":{"size":null}}'`)).toContain('patched');
    expect(
      await ok(`patch configmap settings --type=json -p '[{"op":"add","path":"/data/shape","value":"round"}]'`),
    ).toContain('patched');
    expect(JSON.parse(await ok('get configmap settings -o json')).data).toEqual({ colour: 'red', shape: 'round' });
    const strategic = `{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"busybox"}]}}}}`;
    expect(await ok(`patch deployment web -p '${strategic}'`)).toContain('patched');
    expect(await ok("get deployment web -o jsonpath='{.spec.template.spec.containers[*].name}'")).toBe('side main');
    expect(await ok('set image deployment/web main=nginx:1.26')).toContain('image updated');
    expect(await fails(`patch configmap settings --type=json -p '[{"op":"remove","path":"/data/none"}]'`)).toMatch(
      /the server rejected|nonexistent|missing/i,
    );
  });

  it('edits and replaces', async () => {
    const editor = manifest('editor', '#!/bin/sh\nsed -i "s/colour: red/colour: blue/" "$1"\n');
    chmodSync(editor, 0o700);
    expect(await ok('edit configmap settings', { env: { KUBE_EDITOR: editor } })).toBe('configmap/settings edited');
    expect(await ok("get configmap settings -o jsonpath='{.data.colour}'")).toBe('blue');
    const held = JSON.parse(await ok('get configmap settings -o json'));
    expect(await ok('replace -f -', { input: { ...held, data: { colour: 'green' } } })).toBe(
      'configmap/settings replaced',
    );
    expect(await fails('replace -f -', { input: { ...held, data: { colour: 'black' } } })).toContain('Conflict');
    expect(await ok("get configmap settings -o jsonpath='{.data.colour}'")).toBe('green');
  });

  it('applies, in the client and in the server', async () => {
    const file = manifest(
      'applied.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\ndata:\n  a: "1"\n  b: "2"\n',
    );
    expect(await ok(`apply -f ${file}`)).toBe('configmap/applied created');
    expect(await ok(`apply -f ${file}`)).toBe('configmap/applied unchanged');
    manifest('applied.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\ndata:\n  a: "3"\n');
    const diff = await run(`diff -f ${file}`);
    expect(diff.code).toBe(1);
    expect(diff.out).toMatch(/- {2}a: "1"\n- {2}b: "2"\n\+ {2}a: "3"/);
    expect(await ok(`apply -f ${file}`)).toBe('configmap/applied configured');
    expect(JSON.parse(await ok('get configmap applied -o json')).data).toEqual({ a: '3' });
    expect((await run(`diff -f ${file}`)).code).toBe(0);
    expect(await ok(`apply --server-side -f ${file}`)).toBe('configmap/applied serverside-applied');
    const other = manifest(
      'other.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\ndata:\n  a: "4"\n',
    );
    expect(await fails(`apply --server-side --field-manager=other -f ${other}`)).toMatch(/conflict with "kubectl"/);
    expect(await ok(`apply --server-side --field-manager=other --force-conflicts -f ${other}`)).toContain(
      'serverside-applied',
    );
    const { metadata, data } = JSON.parse(await ok('get configmap applied -o json --show-managed-fields'));
    expect(data).toEqual({ a: '4' });
    expect(metadata.managedFields.map(({ manager }: { manager: string }) => manager)).toContain('other');
    expect(await ok('apply view-last-applied configmap/applied')).toContain('name: applied');
  });

  it('watches and waits', async () => {
    const watch = spawn('kubectl', ['get', 'configmaps', '-w', '--no-headers', '-o', 'name'], { env: environment() });
    let seen = '';
    watch.stdout.on('data', (chunk) => {
      seen += chunk;
    });
    await expect.poll(() => seen).toContain('configmap/settings');
    await ok('create configmap awaited');
    await expect.poll(() => seen).toContain('configmap/awaited');
    watch.kill();
    const waiting = ok('wait --for=delete configmap/awaited --timeout=15s');
    expect(await ok('delete configmap awaited')).toBe('configmap "awaited" deleted');
    await waiting;
    const status = { status: { replicas: 3, conditions: [{ type: 'Available', status: 'True' }] } };
    const ready = ok('wait --for=condition=Available deployment/web --timeout=15s');
    await ok(`patch deployment web --subresource=status --type=merge -p '${JSON.stringify(status)}'`);
    expect(await ready).toBe('deployment.apps/web condition met');
    expect(await fails('wait --for=condition=Progressing deployment/web --timeout=1s')).toContain('timed out');
  });

  it('serves kinds of its own', async () => {
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } } },
    };
    const columns = [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }];
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: schema },
      additionalPrinterColumns: columns,
    };
    const names = { plural: 'boxes', singular: 'box', kind: 'Box', shortNames: ['bx'] };
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'boxes.example.com' },
      spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] },
    };
    expect(await ok('apply -f -', { input: definition })).toContain('created');
    await ok('wait --for=condition=Established crd/boxes.example.com --timeout=10s');
    const box = (size: number) => ({
      apiVersion: 'example.com/v1',
      kind: 'Box',
      metadata: { name: 'small' },
      spec: { size },
    });
    expect(await ok('apply -f -', { input: box(2) })).toBe('box.example.com/small created');
    expect(await ok('get bx')).toMatch(/^NAME +SIZE\nsmall +2$/);
    expect(await ok('explain box.spec.size')).toMatch(/FIELD: +size <integer>/);
    expect(await fails('apply -f -', { input: box(0) })).toContain('spec.size');
    expect(await ok('apply --server-side --force-conflicts -f -', { input: box(5) })).toContain('serverside-applied');
    expect(await ok('delete crd boxes.example.com')).toContain('deleted');
    expect(await fails('get boxes')).toContain('the server could not find the requested resource');
  });

  it('may do what it may', async () => {
    expect(await ok('auth can-i delete pods')).toBe('yes');
    expect(await run('auth can-i list pods --as=system:serviceaccount:shop:robot')).toMatchObject({
      out: 'yes\n',
      code: 0,
    });
    expect(await run('auth can-i list secrets --as=system:serviceaccount:shop:robot')).toMatchObject({
      out: 'no\n',
      code: 1,
    });
    expect((await ok('create token robot')).split('.')).toHaveLength(3);
  });

  it('deletes in each way', async () => {
    expect(await ok('delete deployment web --cascade=orphan --wait=false')).toContain('deleted');
    const finalizers = await ok("get deployment web -o jsonpath='{.metadata.finalizers}'");
    expect(finalizers).toBe('["orphan"]');
    expect(await ok('delete job once --cascade=background')).toContain('deleted');
    await ok('create job twice --image=busybox');
    expect(await ok('delete job twice --cascade=foreground --wait=false')).toContain('deleted');
    expect(await ok("get job twice -o jsonpath='{.metadata.finalizers}'")).toContain('foregroundDeletion');
    expect(await ok('delete configmap settings applied --dry-run=server')).toContain('(server dry run)');
    expect(await ok('delete configmaps --all')).toContain('configmap "settings" deleted');
    expect(await ok('delete secret nothing --ignore-not-found')).toBe('');
    expect(await fails('delete secret nothing')).toContain('NotFound');
    expect(await ok('delete service web --now')).toContain('deleted');
  });
});
