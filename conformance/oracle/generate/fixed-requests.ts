import { groupVersionPath, type OracleKind } from '../oracle-kind.ts';
import type { Scenario } from '../play/scenario.ts';
import { accepts, inForm } from './forms.ts';
import { acceptValues, fixedPaths, methods } from './oddities.ts';
import { beside, KindStory, Story } from './story.ts';
import { isTourable } from './tours/tours.ts';

/** What servers tell of themselves. */
export function documents(kinds: readonly OracleKind[]): Scenario {
  const story = new Story();
  describe(story, kinds);
  return story.scenario('documents', 'requests', 1);
}

/** And of the types that were defined, where it is told of all types at once, too. */
export function customDocuments(kinds: readonly OracleKind[]): Scenario {
  const story = new Story();
  describe(story, kinds);
  story.add('get /openapi/v2', 'GET', '/openapi/v2', { ...beside, headers: { accept: accepts.json } });
  return story.scenario('documents of custom types', 'requests', 1);
}

/** In which forms a schema may be asked for, beside those of any answer. */
const schemaForms: readonly string[] = [
  'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v3@v1.0+protobuf, application/json',
  ...['*/*', 'application/*', 'text/html', 'application/json;q=0.5, text/html', accepts.yaml, accepts.protobuf],
];

function describe(story: Story, kinds: readonly OracleKind[]): void {
  const paths = [...new Set(kinds.map(groupVersionPath))];
  for (const path of paths.slice(0, 1))
    for (const accept of schemaForms)
      story.add(`get /openapi/v3${path} accept`, 'GET', `/openapi/v3${path}`, { ...beside, headers: { accept } });
  for (const path of paths) {
    story.add(`get ${path}`, 'GET', path, beside);
    story.add(`get /openapi/v3${path}`, 'GET', `/openapi/v3${path}`, beside);
    story.add(`get /openapi/v3${path} of old`, 'GET', `/openapi/v3${path}`, { ...beside, query: 'hash=AAAA' });
    story.add(`get ${path} yaml`, 'GET', path, { ...beside, headers: { accept: accepts.yaml } });
    // A version that its group does not have.
    const none = path.replace(/[^/]+$/, 'v99');
    for (const each of [none, `${none}/none`, `/openapi/v3${none}`]) story.add(`get ${each}`, 'GET', each, beside);
  }
  // An empty list of each, in what it is served in and how it is warned of.
  for (const at of kinds.filter(isTourable).map((kind) => new KindStory(story, kind)))
    for (const form of ['json', 'table'] as const)
      at.list({ ...beside, ...inForm(form), query: { labelSelector: 'app=<own>' } });
}

export function fixed(): Scenario {
  const story = new Story();
  for (const path of fixedPaths)
    for (const method of methods) {
      // These list the groups of everybody.
      if (method === 'GET' && /^\/(apis?\/?)?$/.test(path)) continue;
      // Some servers take an empty namespace for all of them: what others have there is theirs.
      if (method === 'DELETE' && path.includes('//')) continue;
      const rehearsed = ['GET', 'HEAD'].includes(method) ? {} : { query: 'dryRun=All' };
      story.add(`${method} ${path}`, method, path, { ...beside, ...rehearsed });
    }
  for (const path of ['/version', '/apis/apps', '/healthz', '/api/v1/namespaces/<own>-1/secrets'])
    for (const accept of acceptValues) story.add(`GET ${path} accept`, 'GET', path, { ...beside, headers: { accept } });
  for (const query of ['verbose', 'exclude=ping', 'exclude=none', 'verbose=false'])
    for (const path of ['/healthz', '/livez', '/readyz', '/readyz/ping'])
      story.add(`GET ${path}?${query.split('=')[0]}`, 'GET', path, { ...beside, query: `${query}&exclude=none` });
  for (const path of fixedPaths.filter((one) => !/^\/(apis?\/?)?$/.test(one)))
    story.add(`GET ${path} anonymous`, 'GET', path, { ...beside, anonymous: true });
  return story.scenario('fixed paths', 'requests', 1);
}
