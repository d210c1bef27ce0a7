# Chart.js, which draws the charts of the HTML report: its script is put into every page (NOTICE, docs/report.md).
find_file(DELTAPROOF_CHART_JS NAMES chart.min.js chart.umd.js chart.umd.min.js
  PATHS /usr/share/javascript/chart.js /usr/share/nodejs/chart.js/dist NO_DEFAULT_PATH
  DOC "Chart.js 3, minified, for use by a script element")
if(NOT DELTAPROOF_CHART_JS)
  message(FATAL_ERROR "Chart.js was not found. Debian and Ubuntu: apt install libjs-chart.js; elsewhere: "
    "-DDELTAPROOF_CHART_JS=.../chart.min.js of Chart.js 3")
endif()
file(READ ${DELTAPROOF_CHART_JS} chart_js_heading LIMIT 400)
if(NOT chart_js_heading MATCHES "Chart\\.js v3\\.[0-9.]+" OR NOT chart_js_heading MATCHES "MIT License")
  message(FATAL_ERROR "${DELTAPROOF_CHART_JS} is not Chart.js 3 with its licence: its heading says\n${chart_js_heading}")
endif()
