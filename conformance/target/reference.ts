import type { Target } from './target.ts';

/** Our own server, running in this process until it is stopped. */
export interface Reference {
  readonly target: Target;
  readonly stop: () => Promise<void>;
}

/** Starts the reference server. The only place of the suite that knows of it. */
export async function startReference(): Promise<Reference> {
  const { startServer } = await import('../../server/start.ts');
  const { url, adminToken, certificateAuthority, stop } = await startServer();
  return { target: { url, token: adminToken, certificateAuthority }, stop };
}
