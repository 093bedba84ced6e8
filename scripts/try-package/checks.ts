import { megabytes } from './figures.ts';
import type { Folder } from './folder.ts';
import { compileAll, compileSnippets, importAll, installTools } from './imports.ts';
import { askCommand, comesAlone, install, oldNode, traceBack } from './installed.ts';
import { judge, judgeCore } from './judge.ts';
import { finishJob, showPage } from './servers.ts';
import type { Subject } from './subject.ts';
import { runExamples, runGoProject, runTests, tenWorlds } from './tests.ts';

/** What users do with the package. Each throws when it does not work, and may give a figure. */
interface Check {
  readonly name: string;
  readonly check: (folder: Folder, subject: Subject) => string | undefined;
}

/** In the order in which they are made. */
export const checks: readonly Check[] = [
  { name: 'the package, unpacked', check: (_, { packed }) => megabytes(packed.unpackedSize, 12) },
  { name: 'the package, installed', check: install },
  { name: 'nothing else comes with it', check: comesAlone },
  { name: 'the command', check: askCommand },
  { name: 'stacks lead to the sources', check: traceBack },
  { name: 'a Node that is too old', check: oldNode },
  { name: 'rules of the suite', check: judge },
  { name: 'the core profile', check: judgeCore },
  { name: 'every import in JavaScript, and require', check: importAll },
  { name: 'a Job, from the empty folder on', check: finishJob },
  { name: 'the page, and the documents of the API', check: showPage },
  { name: 'the tools of users', check: installTools },
  { name: 'every import in TypeScript', check: compileAll },
  { name: 'the snippets of the documentation', check: compileSnippets },
  { name: 'node:test, vitest and jest', check: runTests },
  { name: 'ten tests on ten fresh worlds', check: tenWorlds },
  { name: 'the examples', check: runExamples },
  { name: 'a controller-runtime project on stand-ins', check: runGoProject },
];
