import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Log } from '../engine/ports.ts';
import { FEATURES } from '../features/features.ts';
import { loadAnswers, loadVerbs } from '../features/verbs.ts';
import { failureFacts } from '../model/failure-facts.ts';
import { VERSION } from '../model/version.ts';
import { errorResponse } from '../rest/error-response.ts';
import type { Config } from '../settings/config.ts';
import { type ComposedServer, composeHttp } from './compose-http.ts';
import { declaredBy } from './declared.ts';
import type { ServerPorts } from './extension.ts';
import { createForwardedReader } from './forwarded.ts';
import { createHttpApp } from './http.ts';
import { startUpkeep, withArtifactSweep } from './jobs.ts';
import { createListener, drainable, listen, listenToo, nameOf, SERVER_LIMITS } from './listen.ts';
import { type Addition, openEngineAndStore, systemClock } from './open-engine.ts';
import { type AccessOptions, checkStart, type FirstToken, prepareAccess } from './prepare-access.ts';
import { announce, openServices } from './services.ts';
import { forwardToOwner, listenInside } from './workers/forward-request.ts';
import { takeConnections } from './workers/hand-over.ts';
import type { Peers } from './workers/peers.ts';

export interface ServedHttp {
  url: string;
  close(): Promise<void>;
}

export interface RunningServer extends ServedHttp {
  token: FirstToken;
}

export interface StartOptions extends AccessOptions {
  addition?: Addition;
}

export async function startServer(config: Config, log: Log, options: StartOptions = {}): Promise<RunningServer> {
  const { addition = {} } = options;
  const { features = FEATURES } = addition;
  const namesTokens = await checkStart(config, log, { ...options, features });
  const verbs = addition.features && (await loadVerbs(addition.features));
  const answers = addition.features && (await loadAnswers(addition.features));
  const { engine, store } = await openEngineAndStore(config, log, addition);
  try {
    const token = await prepareAccess(config, store, { ...options, log, namesTokens });
    const served = await serve(config, { engine, store, log, verbs, answers, features });
    log.info('listening', { url: served.url, version: VERSION });
    return await announce(declaredBy(features), { ...served, token }, { config, log });
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** One of several processes that answer at the same port; what a start checks has been checked by then. */
export async function startWorker(config: Config, log: Log, peers: Peers): Promise<ServedHttp> {
  const { engine, store } = await openEngineAndStore(config, log);
  try {
    return await serve(config, { engine, store, log, peers });
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function serve(config: Config, ports: Omit<ServerPorts, 'url'>): Promise<ServedHttp> {
  const { engine, log, peers, features = FEATURES } = ports;
  // Whatever can be wrong is found before anybody is answered.
  const isFirst = peers === undefined || peers.slot === 0;
  const startServices = await openServices(declaredBy(features), { config, engine, store: ports.store, log, isFirst });
  const scheme = config.tlsCert === null ? 'http' : 'https';
  let url = `${scheme}://${nameOf(config.host)}:${config.port || 80}`;
  const composed = await composeHttp(config, { ...ports, engine, url: () => url });
  const app = createHttpApp(composed.http);
  const answer = answerWith(composed, getRequestListener(app.fetch, { errorHandler: answerUnanswered(log) }));
  const readForwarded = createForwardedReader(config.trustedProxies);
  const forward = peers === undefined ? answer : forwardToOwner(answer, { peers, log });
  const server = createListener(config, log, (request, response) => {
    readForwarded(request);
    forward(request, response);
  });
  const stopAnswering = [drainable(server)];
  if (peers !== undefined) stopAnswering.push(drainable(await answerPeers(peers, { server, answer })));
  const port = peers?.port ?? (await listen(server, config));
  if (peers === undefined && config.observePort !== null) {
    const second = createServer(SERVER_LIMITS, (request, response) => {
      readForwarded(request);
      answer(request, response);
    });
    stopAnswering.push(drainable(second));
    await listenToo(second, { port: config.observePort, log }).catch((error) => {
      server.close();
      throw error;
    });
  }
  url = `${scheme}://${nameOf(config.host)}:${port}`;
  const upkeep = startUpkeep(withArtifactSweep(engine, ports.store, systemClock), {
    everySeconds: config.upkeepSeconds,
    log,
  });
  // A round that is under way may have passed by what was stored.
  engine.whenWorkIsLeft(() => void upkeep.runNow().then(upkeep.runNow));
  const services = startServices();
  return {
    url,
    async close() {
      await Promise.all([services.close(), upkeep.stop(), ...stopAnswering.map((stop) => stop()), composed.close()]);
      await engine.close();
      log.info('closed');
    },
  };
}

/** The app answers whatever is thrown in it; this is for what goes wrong around it. */
function answerUnanswered(log: Log): (error: unknown) => Response {
  return (error) => {
    if (error instanceof RequestError) return new Response(null, { status: 400 });
    const requestId = randomUUID();
    log.error('request_failed', { ...failureFacts(error), request_id: requestId });
    return errorResponse(error, requestId);
  };
}

/** A worker takes its connections from the process that holds the port, and requests from the other workers. */
async function answerPeers(
  peers: Peers,
  { server, answer }: { server: Server; answer: RequestListener },
): Promise<Server> {
  // Node bounds how long a request may take only where a server listens, and this one does so nowhere else.
  await listenInside(server, peers, 'port');
  takeConnections(peers.channel, server);
  return listenInside(createServer(answer), peers, peers.slot);
}

function answerWith({ listeners, http }: ComposedServer, rest: RequestListener): RequestListener {
  return (request, response) => {
    const { host, origin } = request.headers;
    const isWelcome =
      host !== undefined && http.hosts.allowsHost(host) && http.hosts.allowsOrigin(origin ?? null, host);
    if (isWelcome && listeners.some((answer) => answer(request, response))) return;
    rest(request, response);
  };
}
