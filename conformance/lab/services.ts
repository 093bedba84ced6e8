import { UsageError } from '../../mistyped.ts';
import type { Service } from './https-service.ts';
import type { Lab } from './lab.ts';
import { readRecord } from './materials.ts';
import { startIssuer } from './oidc-issuer.ts';
import { startTokenWebhook } from './token-webhook.ts';

/**
 * Starts what the flags of a lab name: the OpenID Connect issuer and the token webhook. An authenticating proxy needs
 * no service: rules show its certificate themselves.
 * @throws UsageError when a port is taken, for instance by another run with the same lab
 */
export async function startLabServices(lab: Lab): Promise<Service> {
  const issuer = await startIssuer(lab).catch(tellInUse);
  try {
    const webhook = await startTokenWebhook(readRecord(lab.folder).tokenWebhookPort, lab.certificate('service'));
    return {
      async stop() {
        await Promise.all([issuer.stop(), webhook.stop()]);
      },
    };
  } catch (error) {
    await issuer.stop();
    return tellInUse(error as NodeJS.ErrnoException);
  }
}

function tellInUse(error: NodeJS.ErrnoException & { port?: number }): never {
  if (error.code !== 'EADDRINUSE') throw error;
  throw new UsageError(
    `port ${error.port} of the lab is taken: another run may use it, and each needs a lab of its own`,
  );
}
