'use strict';

// The empty window, drawn in software from the start, as the panel's is where there is no graphics hardware.
require('electron').app.disableHardwareAcceleration();
require('./empty-main.cjs');
