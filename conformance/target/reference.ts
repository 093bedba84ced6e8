import { targetFromKubeconfig } from './kubeconfig.ts';
import type { Target } from './target.ts';

/** Our own server, running in this process until it is stopped. */
export interface Reference {
  readonly target: Target;
  readonly stop: () => Promise<void>;
}

/** Starts the reference server with these flags. The only place of the suite that knows of it. */
export async function startReference(flags: readonly string[] = []): Promise<Reference> {
  const { startServer } = await import('../../server/start.ts');
  const server = await startServer({ flags: [...flags] });
  return { target: targetFromKubeconfig(server.kubeconfig), stop: () => server.stop() };
}
