import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Capability } from '../capability.ts';
import { byCommand } from '../lab/command.ts';
import { makeLab, openLab } from '../lab/lab.ts';
import { type Launcher, makeLauncher } from '../lab/launcher.ts';
import { startLabServices } from '../lab/services.ts';
import type { Permit } from '../verbs/guest/permit.ts';
import { type ExploreOptions, explore, meetsIssuer, trustsLab } from './capabilities.ts';
import { withCredential } from './credential-plugin.ts';
import { asking } from './inspect.ts';
import { startReference } from './reference.ts';
import type { KnownTarget, Target } from './target.ts';
import { whyOutOfReach } from './webhook-reach.ts';

export interface TargetOptions {
  /** None starts the reference server. */
  readonly target?: Target;
  /** Command that starts further servers of the target's make. */
  readonly launch?: readonly string[];
  /** Folder of the lab with whose flags the target was started. */
  readonly lab?: string;
  readonly webhookHost?: string;
  readonly capabilities?: readonly Capability[];
  /** Modules that the reference server's thread loads first. */
  readonly imports?: readonly string[];
  /** What the rules need that will be played. */
  readonly needs: ReadonlySet<Capability>;
  readonly permit: Permit;
  /** For what the user should know. */
  readonly note: (text: string) => void;
}

/** What is done with a target, and with servers of its make where such can be started. */
type Work<T> = (target: KnownTarget, launcher?: Launcher) => Promise<T>;

const labTrust: readonly Capability[] = ['lab'];

/**
 * The given target, or the reference server, for as long as `work` lasts.
 * @throws TargetFault when there is nothing to judge
 */
export async function withTarget<T>(options: TargetOptions, work: Work<T>): Promise<T> {
  if (options.target) return withGiven(options.target, options, work);
  if (!options.needs.has('lab')) return withReference(options, [], work);
  return withLab(undefined, (labFolder) =>
    withReference(options, openLab(labFolder).flags, (known, launcher) =>
      work({ ...known, labFolder, capabilities: [...known.capabilities, 'lab'] }, launcher),
    ),
  );
}

async function withGiven<T>(target: Target, options: TargetOptions, work: Work<T>): Promise<T> {
  const { launch, lab, webhookHost, needs, note } = options;
  const known = {
    ...(await withinReach(await explore(await withCredential(target), look(options)), options)),
    ...(launch ? { launches: true } : {}),
    ...(webhookHost ? { webhookHost } : {}),
  };
  const launcher = launch ? makeLauncher(byCommand(launch)) : undefined;
  try {
    if (!lab && !(launch && needs.has('lab'))) return await work(known, launcher);
    return await withLab(lab, async (labFolder) => {
      const opened = openLab(labFolder);
      const trusted = lab !== undefined && (await trustsLab(known, opened));
      if (trusted && needs.has('lab')) await meetsIssuer(known, opened);
      if (lab && !trusted) note(`the target was not started with the flags of the lab ${lab}`);
      const capabilities = [...known.capabilities, ...(trusted ? labTrust : [])];
      return work({ ...known, labFolder, capabilities }, launcher);
    });
  } finally {
    await launcher?.stopAll();
  }
}

const look = ({ capabilities = [], webhookHost, permit }: TargetOptions): ExploreOptions => ({
  declared: [...capabilities, ...(webhookHost ? (['webhooks'] as const) : [])],
  permit,
});

/** What has an address of this machine may live in a network of its own, as in a container. */
async function withinReach(
  known: KnownTarget,
  { needs, permit, webhookHost, capabilities = [] }: TargetOptions,
): Promise<KnownTarget> {
  const isSaid = webhookHost !== undefined || capabilities.includes('webhooks');
  const mayTry = permit.write && permit.cluster && needs.has('webhooks');
  if (isSaid || !mayTry || !known.capabilities.includes('webhooks')) return known;
  const why = await asking(known, (send) => whyOutOfReach(send, permit));
  if (why === undefined) return known;
  const webhooks = `none was reached at 127.0.0.1: ${why}`;
  const others = known.capabilities.filter((name) => name !== 'webhooks');
  return { ...known, capabilities: others, absent: { ...known.absent, webhooks } };
}

async function withReference<T>(options: TargetOptions, flags: readonly string[], work: Work<T>): Promise<T> {
  const reference = await startReference(flags, options.imports);
  const launcher = makeLauncher(reference.start);
  try {
    const { target, beside } = reference;
    const isNeeded = beside.capabilities.some((capability) => options.needs.has(capability));
    const started = isNeeded ? await launcher.take(beside.flags) : undefined;
    const known = { ...(await explore(target, look(options))), launches: true };
    return await work({ ...known, beside: { ...beside, ...(started ? { target: started } : {}) } }, launcher);
  } finally {
    await launcher.stopAll();
    await reference.stop();
  }
}

/** A lab and its services, for as long as `work` lasts; without a folder it is a passing one. */
async function withLab<T>(folder: string | undefined, work: (folder: string) => Promise<T>): Promise<T> {
  const place = folder ?? mkdtempSync(join(tmpdir(), 'touchstone-lab-'));
  const services = await startLabServices(await makeLab(place));
  try {
    return await work(place);
  } finally {
    await services.stop();
    if (folder === undefined) rmSync(place, { recursive: true, force: true });
  }
}
