import { expect, it } from 'vitest';
import { filesIn, temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { readRemoteService } from './kubeconfig.ts';

const write = filesIn(temporaryFolder());

it.each([
  ['empty', '', /^\S*\/empty: no current context$/],
  ['absent', 'current-context: c\ncontexts: []\n', /^\S*\/absent: no context named "c"$/],
  ['urlless', 'contexts: [{name: c, context: {cluster: d}}]\n', /^\S*\/urlless: the cluster has no valid server URL$/],
  ['torn', 'clusters: [\n', /^\S*\/torn: .+ line 2/],
])('says of a configuration that is %s in which file it is, and what is wrong', (name, text, expected) => {
  expect(() => readRemoteService(write(name, text))).toThrow(expected);
});

it('shows nothing of a configuration that is none, which may be secret', () => {
  const file = write('secret', 'users: [{name: a, user: {token: "of-nobody}}]\n');
  expect(() => readRemoteService(file)).toThrow(/^(?!(?:.|\n)*of-nobody)/);
});
