import { serveLog } from "../journal/serve-log.ts";
import { LOG_FEATURES } from "./features.ts";

serveLog(LOG_FEATURES);
